import type { Effect } from '../../journal/effects/effect.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { RunState, StartedRun, StartedState } from '../../journal/state/state.ts';
import { agentNamed } from '../../limits/agents.ts';
import type { SettingsWith } from '../../settings/schema/run-settings.ts';
import { capital } from './gates/gate-lines.ts';
import { indented, type Line, prose, type Span, span, type Tone } from './line.ts';
import { type Change, ID_CHARS, idText, shorten } from './look.ts';

/** Steps of a task are indented below its heading (seed 000), the agent's output below that. */
const STEP_COLUMNS = 4;
export const SPEECH_COLUMNS = 6;

/** `    ✓ Claude finished (56s)`. */
export function step(text: string, tone: Tone = 'plain', ...more: readonly Span[]): Line {
  return prose(span(`${' '.repeat(STEP_COLUMNS)}${text}`, tone), ...more);
}

/** Adds a fact to the line above. */
export function detail(text: string): Line {
  return prose(span(`${' '.repeat(SPEECH_COLUMNS)}${text}`, 'dim'));
}

/** Shows lines of any run as lines of a task: indented, without blank lines. */
export function indentedSteps(lines: readonly Line[], columns: number = STEP_COLUMNS): readonly Line[] {
  return indented(
    lines.filter(({ spans }) => spans.length > 0),
    columns,
  );
}

/** The first few, and how many more there are. */
export function firstOf(texts: readonly string[], most: number): readonly string[] {
  const hidden = texts.length - most;
  return hidden > 0 ? [...texts.slice(0, most), `and ${hidden} more`] : texts;
}

const NAME_CHARS = 40;

/** `Claude`: the common name. An unknown kind of agent is named by its command. */
export function agentName(run: StartedRun | null, named?: string): string {
  const { kind, command } = run ? agentNamed(run.settings, named) : { kind: '', command: 'the agent' };
  return command.split(/[\\/]/).at(-1) === kind ? capital(kind) : shorten(command, NAME_CHARS);
}

/** The branch that results are merged into. */
export function baseOf({ run }: StartedState<SettingsWith<'work'>>): string {
  return shorten(run.settings.work.base, ID_CHARS);
}

/** ` for story S-012`; empty when all tasks are wanted. */
export function scopeText({ work }: SettingsWith<'work'>): string {
  const { story, milestone, tags } = work.filter;
  const words = [
    ...(story === null ? [] : [`story ${idText(story)}`]),
    ...(milestone === null ? [] : [`milestone ${idText(milestone)}`]),
    ...(tags.length === 0 ? [] : [`${tags.length === 1 ? 'tag' : 'tags'} ${shorten(tags.join(', '), ID_CHARS)}`]),
  ];
  return words.length === 0 ? '' : ` for ${words.join(', ')}`;
}

/** `0s`, `56s`, `2m 16s`, `1h 0m 5s` (seed 000). */
export function spacedDuration(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours}h ${minutes}m ${seconds % 60}s`;
  return minutes > 0 ? `${minutes}m ${seconds % 60}s` : `${seconds}s`;
}

/** With several workers, each line names its worker. */
export function labelledByWorker(lines: readonly Line[], lane: number | null, { run }: RunState): readonly Line[] {
  if (lane === null || !run || run.settings.lanes === 1) return lines;
  const mark = span(`w${lane} `, 'dim');
  return lines.filter(({ spans }) => spans.length > 0).map((each) => ({ ...each, spans: [mark, ...each.spans] }));
}

/** Null when the event concerns the whole run. */
export function workerOfEvent(body: EventBody, change: Pick<Change, 'before' | 'state'>): number | null {
  if ('lane' in body) return body.lane;
  if (body.type === 'task.claimed' || body.type === 'task.lost') return workerOfTask(body.task, change.state);
  if ('attempt' in body && typeof body.attempt === 'string') return workerOfAttempt(body.attempt, change.state);
  const effect = effectOf(body, change.before);
  if (effect?.kind === 'take-task') return effect.lane;
  return laneOf(effect?.iteration ?? ('iteration' in body ? body.iteration : 0), change);
}

/** `<iteration>.<attempt>` */
export function workerOfAttempt(attempt: string, state: RunState): number | null {
  return laneOf(Number.parseInt(attempt, 10), { before: state, state });
}

function effectOf(body: EventBody, { inFlight }: RunState): Effect | undefined {
  if (body.type === 'effect.begun') return body.effect;
  return 'key' in body ? inFlight.find(({ key }) => key === body.key) : undefined;
}

/** Also looks at the state before: an iteration that has just closed is no longer open. */
function laneOf(iteration: number, { before, state }: Record<'before' | 'state', RunState>): number | null {
  return [...state.open, ...before.open].find(({ number }) => number === iteration)?.worker ?? null;
}

function workerOfTask(task: string, { open }: RunState): number | null {
  return open.find(({ currentTask }) => currentTask?.task.id === task)?.worker ?? null;
}
