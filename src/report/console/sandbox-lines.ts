import type { EventBody } from '../../journal/events/journal-event.ts';
import type { SandboxRefusals } from '../../journal/state/state.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { SandboxSpec } from '../../settings/schema/sandbox-spec.ts';
import { type Line, prose, span } from './line.ts';
import { type DisplaySettings, row, shorten } from './look.ts';
import { plural } from './spent-text.ts';

const TARGET_CHARS = 200;
const SHOWN_TARGETS = 5;

/** Describes the sandbox in plain words: people who leave the machine alone rely on it. */
export function sandboxRows({ wall, agent }: RunSettings): readonly Line[] {
  return [
    row('sandbox', span(wall.mode, wall.mode === 'guard' ? 'busy' : 'good'), span(`: ${sandboxText(wall)}`, 'dim')),
    ...(wall.reason === null ? [] : [row('', span(wall.reason, 'dim'))]),
    ...(wall.mode !== 'guard' && wall.gates === 'host' ? [row('', span('gates and hooks run on the host, outside the sandbox', 'busy'))] : []),
    ...(wall.mode === 'guard' && agent.autonomy === 'full' ? [prose(span(UNPROTECTED, 'busy'))] : []),
    ...(wall.mode === 'guard' && agent.kind !== 'claude'
      ? [row('', span('the guard works with claude only: nothing checks the commands of this agent', 'busy'))]
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
      return `${workspace === 'isolated' ? 'agents and gates work in a folder of their own, whose files land in yours' : 'only the project is writable'}, your home is empty except for tools, the network is closed except for the model${hosts.length === 0 ? '' : ` and ${hosts.join(', ')}`}`;
    case 'guard':
      return `no sandbox, only rules for dangerous commands${workspace === 'copy' ? `; ${IN_A_COPY}` : ''}`;
    default:
      return assertNever(mode);
  }
}

const IN_A_COPY = 'agents and gates work in a copy of your files, whose changes land in yours';

type WallRefused = Extract<EventBody, { type: 'wall.refused' }>;

export function sandboxRefusedLines(event: Pick<WallRefused, 'what' | 'target'>, { glyphs }: DisplaySettings): readonly Line[] {
  return [prose(span(`${glyphs.warning}${refusedText(event)}`, 'busy'))];
}

function refusedText({ what, target }: Pick<WallRefused, 'what' | 'target'>): string {
  const shown = shorten(target, TARGET_CHARS);
  switch (what) {
    case 'network':
      return `The sandbox refused a connection to ${shown}. Allow it with --allow-host, or sandbox.allowHosts in the settings.`;
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

/** A row of the summary; none when nothing was refused. */
export function refusedRows({ count, first }: SandboxRefusals): readonly Line[] {
  if (count === 0) return [];
  const shown = first.slice(0, SHOWN_TARGETS).map(({ what, target }) => `${what === 'history' ? 'git:' : what} ${shorten(target, TARGET_CHARS)}`);
  const more = count - shown.length;
  return [row('refused', span(`${plural(count, 'time')} by the sandbox: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`, 'busy'))];
}
