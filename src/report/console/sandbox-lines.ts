import type { EventBody } from '../../journal/events/journal-event.ts';
import type { SandboxRefusals } from '../../journal/state/sandbox-refusals.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { SandboxSpec } from '../../settings/schema/sandbox-spec.ts';
import { type Line, prose, span } from './line.ts';
import { type DisplaySettings, sentence, shorten } from './look.ts';

const TARGET_CHARS = 200;
const SHOWN_TARGETS = 5;

/** Describes the sandbox in plain words: people who leave the machine alone rely on it. */
export function sandboxRows({ wall, agent }: RunSettings): readonly Line[] {
  return [
    sentence('sandbox', span(wall.mode, wall.mode === 'guard' ? 'busy' : 'good'), span(`: ${sandboxText(wall)}`, 'dim')),
    ...(wall.reason === null ? [] : [sentence('', span(wall.reason, 'dim'))]),
    ...(wall.mode !== 'guard' && wall.gates === 'host' ? [sentence('', span('checks and hooks run on the host, outside the sandbox', 'busy'))] : []),
    ...(wall.mode === 'guard' && agent.autonomy === 'full' ? [prose(span(UNPROTECTED, 'busy'))] : []),
    ...(wall.mode === 'guard' && agent.kind !== 'claude'
      ? [sentence('', span('the guard works with claude only: nothing checks the commands of this agent', 'busy'))]
      : []),
  ];
}

/** The text of seed 003. */
const UNPROTECTED = '[ralph] WARNING: Running with --dangerously-skip-permissions without sandbox isolation';

function sandboxText({ mode, hosts, workspace }: SandboxSpec): string {
  switch (mode) {
    case 'docker':
      return `a Docker microVM; ${workspace === 'copy' ? IN_A_COPY : 'only the project is shared with it'}`;
    case 'os':
      return `${workspace === 'isolated' ? 'agents and checks work in a folder of their own, whose files land in yours' : 'only the project is writable'}, your home is empty except for tools, the network is closed except for the model${hosts.length === 0 ? '' : ` and ${hosts.join(', ')}`}`;
    case 'guard':
      return `no sandbox, only rules for dangerous commands${workspace === 'copy' ? `; ${IN_A_COPY}` : ''}`;
    default:
      return assertNever(mode);
  }
}

const IN_A_COPY = 'agents and checks work in a copy of your files, whose changes land in yours';

type WallRefused = Extract<EventBody, { type: 'wall.refused' }>;

/** The summary tells of refused hosts: a tool that tries often must not fill the screen. A program of this machine that nobody reaches is told at once. */
export function sandboxRefusedLines({ what, target }: Pick<WallRefused, 'what' | 'target'>, { glyphs }: DisplaySettings): readonly Line[] {
  const isFarAway = what === 'network' && !/^localhost:\d+$/.test(target);
  return isFarAway ? [] : [prose(span(`${glyphs.warning}${refusedText(what, shorten(target, TARGET_CHARS))}`, 'busy'))];
}

function refusedText(what: WallRefused['what'], shown: string): string {
  switch (what) {
    case 'network':
      return `A program of this machine listens at ${shown}, but behind the sandbox nothing reaches it. Allow it with --allow-host ${shown}`;
    case 'write':
      return `The sandbox refused a write: ${shown}`;
    case 'history':
      return `Git: ${shown}`;
    case 'planted':
      return `Reverted an unexpected change to ${shown}: it would have run outside the sandbox.`;
    default:
      return assertNever(what);
  }
}

/** Rows of the summary; none when nothing was refused that a person could act on. */
export function refusedRows(refused: SandboxRefusals): readonly Line[] {
  return refusedTexts(refused).map((text, index) => sentence(index === 0 ? 'refused' : '', span(text, 'busy')));
}

/** What was refused, each once however often it was, and how to allow it. A resumed run may have met the same again. */
export function refusedTexts({ count, first }: SandboxRefusals): readonly string[] {
  const told = first.filter(({ what, target }) => what !== 'network' || !isKnownPing(target));
  const each = [...new Set(told.map(({ what, target }) => `${what === 'history' ? 'git:' : what} ${shorten(target, TARGET_CHARS)}`))];
  const more = Math.max(0, each.length - SHOWN_TARGETS) + (count - first.length);
  if (each.length + more === 0) return [];
  const shown = [...each.slice(0, SHOWN_TARGETS), ...(more > 0 ? [`${each.length === 0 ? '' : 'and '}${more} more`] : [])];
  const counted = `by the sandbox: ${shown.join('; ')}`;
  return told.some(({ what }) => what === 'network') ? [counted, 'allow a host with --allow-host, or sandbox.allowHosts in the settings'] : [counted];
}

/** Hosts to which agents and tools report how they are used, or ask for a newer version of themselves. Nobody has to act when the sandbox refuses them. */
const PINGS: readonly RegExp[] = [
  /(?:^|\.)statsig\.(?:com|anthropic\.com)$/,
  /(?:^|\.)(?:statsigapi\.net|featuregates\.org|featureassets\.org|prodregistryv2\.org)$/,
  /(?:^|\.)sentry\.io$/,
  /(?:^|\.)(?:datadoghq\.(?:com|eu)|segment\.(?:io|com)|posthog\.com|amplitude\.com|mixpanel\.com)$/,
  /^telemetry\.(?:nextjs\.org|astro\.build|vercel\.com)$/,
  /^(?:update\.code\.visualstudio\.com|checkpoint\.prisma\.io|play\.googleapis\.com|ab\.chatgpt\.com|downloads\.claude\.ai)$/,
];

/** Whether a refused `host:port` is such a ping. */
export function isKnownPing(target: string): boolean {
  const host = target.replace(/:\d+$/, '').toLowerCase();
  return PINGS.some((ping) => ping.test(host));
}
