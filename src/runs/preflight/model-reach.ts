import { connect } from 'node:net';
import { accountVariables, modelHosts } from '../../agents/agent-access.ts';
import type { ModelAddress } from '../../agents/agent-preflight.ts';
import { parseHostPattern, parseTarget, patternFor, type Target, targetText } from '../../sandbox/proxy/match-host.ts';
import { portOf, readUpstream } from '../../sandbox/proxy/reach.ts';
import type { VendorAgent } from './agent-programs.ts';
import { type CheckResult, type Finding, fine, found, joined, NOTHING, type PlannedRun } from './finding.ts';

/** Connects to the address that the agent's own configuration names. It asks for nothing but the list of models, and only where that shows whether the key is accepted. */
export async function checkModel(agent: VendorAgent, run: PlannedRun): Promise<CheckResult> {
  const address = await agent.preflight.model(agent.place);
  const target = address === null ? null : targetOf(address.url);
  if (address === null || target === null) return NOTHING;
  const who = `the model of ${agent.definition.name}`;
  if (!mayReach(agent, run, target)) return found(notAllowed(who, address, target));
  const proxy = readUpstream(agent.place.hostEnv)(target, address.url.startsWith('https:') ? 'tunnel' : 'http');
  const [reached, key] = await Promise.all([proxy === null ? reachModel(who, address, target) : reachProxy(who, proxy), keyResult(who, address, proxy)]);
  return reached.findings.length > 0 ? reached : joined([reached, key]);
}

/** Only a plain refusal says something of the key: any other answer, or none, may have other reasons. */
async function keyResult(who: string, { url, key }: ModelAddress, proxy: URL | null): Promise<CheckResult> {
  if (key === undefined || new URL(key.list).origin !== new URL(url).origin) return NOTHING;
  const status = await (await import('./ask-for-models.ts')).askForModels(key, proxy, WITHIN_MS);
  if (status === 200) return fine(`${who} accepts the key in ${key.namedBy}`);
  if (status !== 401 && status !== 403) return NOTHING;
  const { host, origin } = new URL(url);
  const fix = `Set a key that ${origin} accepts, or correct the address.`;
  return found({ what: `${who} refuses its key: ${host} answers ${status}`, where: key.namedBy, fix, isFatal: true });
}

async function reachModel(who: string, { namedBy }: ModelAddress, target: Target): Promise<CheckResult> {
  const reached = await reach(target);
  const where = namedBy ?? 'its default address';
  if (reached.kind === 'reached') return fine(`${who} answers at ${targetText(target)} (${where})`);
  const fix = namedBy === null ? 'Connect this machine to the network.' : `Start what should answer there, or correct ${namedBy}.`;
  return found({ what: `${who} cannot be reached at ${targetText(target)}: ${reached.why}`, where, fix, isFatal: reached.kind === 'refused' });
}

/** What the proxy reaches is its own business: many refuse a connection that is no real request. */
async function reachProxy(who: string, proxy: URL): Promise<CheckResult> {
  const target = { host: proxy.hostname.replace(/^\[|\]$/g, ''), port: portOf(proxy) };
  const reached = await reach(target);
  if (reached.kind === 'reached') return fine(`the proxy to ${who} answers at ${targetText(target)}`);
  return found({
    what: `the proxy to ${who} cannot be reached at ${targetText(target)}: ${reached.why}`,
    where: 'HTTPS_PROXY, HTTP_PROXY or ALL_PROXY',
    fix: 'Correct it, or name the host of the model in NO_PROXY.',
    isFatal: reached.kind === 'refused',
  });
}

/** Null for an address that Ralph does not understand. */
function targetOf(url: string): Target | null {
  if (!URL.canParse(url)) return null;
  const { hostname, port, protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  return parseTarget(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`);
}

function mayReach({ spec }: VendorAgent, { settings: { wall }, workspace }: PlannedRun, target: Target): boolean {
  if (wall.mode !== 'os') return true;
  const hosts = [...modelHosts(spec.kind, { ...workspace.env, ...accountVariables(spec.env, workspace.env) }), ...wall.hosts];
  return (
    patternFor(
      target,
      hosts.flatMap((host) => parseHostPattern(host) ?? []),
    ) !== null
  );
}

function notAllowed(who: string, { namedBy }: ModelAddress, target: Target): Finding {
  const host = targetText(target);
  return {
    what: `the sandbox does not allow a connection to ${who} at ${host}`,
    where: namedBy ?? 'its default address',
    fix: `Add --allow-host ${host}, or in .ralph/settings.json: {"sandbox": {"allowHosts": ["${host}"]}}.`,
    isFatal: true,
  };
}

type Reach = { readonly kind: 'reached' } | { readonly kind: 'refused' | 'slow'; readonly why: string };

const WITHIN_MS = 1_200;

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name does not resolve',
  EAI_AGAIN: 'the name does not resolve now',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no network',
};

/** A name that resolves late, and a connection that takes longer, may still come about: that is only slow. */
export async function reach({ host, port }: Target, withinMs: number = WITHIN_MS): Promise<Reach> {
  return await new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (reached: Reach) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reached);
    };
    const tooLate = () => end({ kind: 'slow', why: `no connection within ${withinMs / 1000} s` });
    // On a busy machine the answer may have arrived already.
    const timer = setTimeout(() => setImmediate(tooLate), withinMs);
    socket.once('connect', () => end({ kind: 'reached' }));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? '';
      end({ kind: code === 'ETIMEDOUT' ? 'slow' : 'refused', why: REASONS[code] ?? (code || error.message) });
    });
  });
}
