import { OperatorError } from '../../kit/pure/operator-error.ts';
import { allowedBySeed } from '../../sandbox/guard-lists.ts';
import { parseHostPattern } from '../../sandbox/proxy/match-host.ts';
import { FUNCTION_KIND } from '../../settings/agent-of.ts';
import { factsOf, storiesSpecOf } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { SANDBOX_MODES, type SandboxMode, type SandboxSpec } from '../../settings/schema/sandbox-spec.ts';
import { copiesOf } from '../../workspace/copy/copy-folder.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { inheritedSandbox } from './inherited-sandbox.ts';

type SandboxPlace = Pick<Workspace, 'cwd' | 'env' | 'git'>;

/** The default sandbox, for machines that want another one: `RALPH_SANDBOX=os`. */
const MODE_VARIABLE = 'RALPH_SANDBOX';

/** A further check that may refuse a run outside a microVM, before Ralph knows which sandbox it gets, and again afterwards. */
type Refuse = (settings: RunSettings) => Promise<void>;

/**
 * The settings with the sandbox to use: the requested one, or the strongest available. Throws when the requested one is not available.
 * `refuse` runs before any slow check.
 */
export async function withSandbox<S extends RunSettings>(settings: S, place: SandboxPlace, refuse: Refuse = async () => undefined): Promise<S> {
  const { wall } = await withStrongest(settings, place, refuse);
  return { ...settings, wall: await withWorkspace({ ...settings, wall }, place) };
}

async function withStrongest(settings: RunSettings, place: SandboxPlace, refuse: Refuse): Promise<Pick<RunSettings, 'wall'>> {
  const inherited = await inheritedSandbox(settings, place);
  if (inherited !== null) return { wall: await checkedSandbox(inherited, place) };
  for (const host of settings.wall.hosts) refuseNoHost(host);
  const wall = withAllowedCommands(settings, place);
  const named = wall.forced ? wall.mode : modeNamed(place.env[MODE_VARIABLE]);
  if (named !== null) return { wall: await checkedSandbox({ ...wall, mode: named, forced: true }, place) };
  return { wall: { ...wall, ...((await availableDocker(place)) ?? (await withoutDocker(() => refuse({ ...settings, wall: { ...wall, mode: 'os' } })))) } };
}

/** The settings with an available workspace mode, and why it is not the wanted one. */
async function withWorkspace(settings: RunSettings, { git }: SandboxPlace): Promise<SandboxSpec> {
  const { wall } = settings;
  const workspace = wantedWorkspace(settings);
  if (workspace === 'place') return inPlace(wall, whyShared(settings));
  const { whyNotCopy, whyNotIsolated } = await import('./why-not-isolated.ts');
  const why = git === null ? 'there is no git repository' : await (workspace === 'copy' ? whyNotCopy : whyNotIsolated)(git);
  return why === null ? { ...wall, workspace } : inPlace(wall, why);
}

/** A run that another run started has the reason already. */
function inPlace(wall: SandboxSpec, why: string | null): SandboxSpec {
  const told = `agents and checks work in your own files: ${why}`;
  if (why === null || wall.reason?.includes(told)) return { ...wall, workspace: 'place' };
  return { ...wall, workspace: 'place', reason: [wall.reason ?? [], told].flat().join('; ') };
}

/** Why agents in a sandbox share the operator's files by design; null: they do not, or the banner says so elsewhere. */
function whyShared(settings: RunSettings): string | null {
  const { mode, gates, workspace } = settings.wall;
  const { place } = factsOf(settings);
  if (mode === 'guard' || gates === 'host') return null;
  if (place === 'task folder') return 'all agents of a task share one folder';
  if (place === 'worktrees') return mode === 'docker' ? 'docker shows them the worktrees of their tasks, and your git' : null;
  return workspace === 'place' ? 'you asked for that' : null;
}

/**
 * The os sandbox can mount a folder over the work tree; docker cannot, so agents get a copy there. Without a sandbox an operator who asked for that works in place
 * unless a copy is named. An agent that is a function is no process that could work in a copy.
 */
function wantedWorkspace(settings: RunSettings): 'isolated' | 'copy' | 'place' {
  const { wall, agent } = settings;
  const { workspace, mode, gates, forced } = wall;
  const isPossible = gates === 'inside' && factsOf(settings).place === 'work tree' && workspace !== undefined;
  if (!isPossible || workspace === 'place') return 'place';
  if (mode === 'os') return 'isolated';
  return (mode === 'docker' || workspace === 'copy' || !forced) && agent.kind !== FUNCTION_KIND ? 'copy' : 'place';
}

/** The same sandbox, if it is available here and now. Silently using a weaker one would mislead the operator. */
export async function checkedSandbox(wall: SandboxSpec, place: SandboxPlace): Promise<SandboxSpec> {
  const { missing, lacks } = await sandboxHere(wall.mode, place);
  if (missing === null) return lacks === null ? wall : { ...wall, reason: lacks };
  throw new OperatorError('sandbox-unavailable', `the sandbox "${wall.mode}" is not available: ${missing.why}`, { hint: missing.hint, exitCode: 4 });
}

/** Seed 003 keeps the allowed commands in a file of the project. It is read once at the start, because agents can write it later. */
function withAllowedCommands(settings: RunSettings, { git, cwd }: SandboxPlace): SandboxSpec {
  const { wall } = settings;
  const allowed = allowedBySeed(git?.topLevel ?? cwd, storiesSpecOf(settings)?.folder);
  return { ...wall, guard: { ...wall.guard, allow: [...wall.guard.allow, ...allowed] } };
}

interface SandboxHere {
  readonly missing: { readonly why: string; readonly hint: string } | null;
  /** What it leaves unprotected on this machine. */
  readonly lacks: string | null;
}

// Each is loaded only when it is needed.
const loadDocker = () => import('../../sandbox/docker/find-docker.ts');
const loadOs = () => import('../../sandbox/os/why-no-os-sandbox.ts');

async function sandboxHere(mode: SandboxMode, { env, cwd, git }: SandboxPlace): Promise<SandboxHere> {
  if (mode === 'guard') return { missing: null, lacks: null };
  if (mode === 'os') return await (await loadOs()).osSandboxHere();
  const { DOCKER_MISSING, dockerState } = await loadDocker();
  return { missing: (await dockerState(env, [git?.topLevel ?? cwd])).cli === null ? DOCKER_MISSING : null, lacks: null };
}

type Strength = Pick<SandboxSpec, 'mode' | 'reason'>;

async function availableDocker({ env, cwd, git }: SandboxPlace): Promise<Strength | null> {
  const docker = await (await loadDocker()).dockerState(env, git === null ? [cwd] : [git.topLevel, copiesOf(git)]);
  return docker.cli !== null && docker.exists ? { mode: 'docker', reason: '[ralph] Docker Sandbox detected — using sandbox mode' } : null;
}

async function withoutDocker(refuse: () => Promise<void>): Promise<Strength> {
  await refuse();
  const { missing, lacks } = await (await loadOs()).osSandboxHere();
  if (missing === null) return { mode: 'os', reason: lacks };
  return { mode: 'guard', reason: `[ralph] Docker Sandbox not available — using direct mode; ${missing.why}. ${missing.hint}` };
}

function refuseNoHost(text: string): void {
  if (parseHostPattern(text) !== null) return;
  const hint = 'Write host, *.host or host:port, without https:// and without a path.';
  throw new OperatorError('usage', `"${text}" in sandbox.allowHosts or --allow-host is not a host`, { hint, exitCode: 2 });
}

function modeNamed(text: string | undefined): SandboxMode | null {
  if (text === undefined || text === '' || text === 'auto') return null;
  const mode = SANDBOX_MODES.find((each) => each === text);
  if (mode !== undefined) return mode;
  throw new OperatorError('usage', `${MODE_VARIABLE} must be auto, docker, os or guard, got "${text}"`, {
    hint: `Unset ${MODE_VARIABLE}, or name one of them.`,
    exitCode: 2,
  });
}
