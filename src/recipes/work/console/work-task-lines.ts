import type { RunAgent } from '../../../journal/effects/effect.ts';
import { endingText } from '../../../journal/ending-text.ts';
import type { AttemptEnded } from '../../../journal/events/attempt.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import type { TaskClaimed, TaskLost, TaskReleased } from '../../../journal/events/work.ts';
import type { CurrentTask } from '../../../journal/state/work-state.ts';
import { costText } from '../../../kit/pure/amounts.ts';
import { assertNever } from '../../../kit/pure/assert-never.ts';
import { takesOver } from '../../../limits/agents.ts';
import { forecastOf, forecastText } from '../../../limits/forecast.ts';
import { MOST_CRASH_RETRIES } from '../../../limits/retry-policy.ts';
import { limitWaitIsTooLong } from '../../../limits/time.ts';
import { whyText } from '../../../report/console/attempt-lines.ts';
import { causeSpans } from '../../../report/console/cause-lines.ts';
import { nearClaimText } from '../../../report/console/gates/proof-lines.ts';
import { blank, type Line, prose, span } from '../../../report/console/line.ts';
import { type Change, type DisplaySettings, idText, openIn, shorten } from '../../../report/console/look.ts';
import { agentName, detail, spacedDuration, step } from '../../../report/console/work-lines.ts';
import { crashRetryAtMs } from '../crash-retry.ts';
import type { WorkSettings } from '../task-progress.ts';

const TEXT_CHARS = 300;
const TITLE_CHARS = 100;
/** The longest pause of the seed; a longer one was requested by the provider. */
const OUR_LONGEST_PAUSE_MS = 600_000;

/** `[1] 📋 Task: T-012-01` (seed 000), its title, and what an earlier holder has left. */
export function taskHeading(iteration: number, { state }: Change, { glyphs }: DisplaySettings): readonly Line[] {
  const hand = openIn(state, iteration)?.currentTask;
  const heading = `[${iteration}] ${glyphs.todoHeading}Task: ${hand ? idText(hand.task.id) : 'unknown'}`;
  const title = hand && hand.task.title !== '' ? [span(`  ${shorten(hand.task.title, TITLE_CHARS)}`, 'dim')] : [];
  return [blank, prose(span(heading, 'accent'), ...title), ...(hand ? earlierLines(hand, glyphs.step) : [])];
}

function earlierLines({ tries, from, doneBefore: commit }: CurrentTask, mark: string): readonly Line[] {
  if (commit !== undefined) return [step(`${mark}done before as ${commit.slice(0, 7)}; the plan says that it is not, so it is done again`, 'busy')];
  const again = tries === 0 ? [] : [`try ${tries + 1}`];
  const branch = from === null ? [] : [`continues with ${shorten(from, TEXT_CHARS)}`];
  const text = [...again, ...branch].join(', ');
  return text === '' ? [] : [step(`${mark}${text}`, 'dim')];
}

export function executingLines({ role, attempt, agent, instead_of }: RunAgent, { state: { run } }: Change, { glyphs }: DisplaySettings): readonly Line[] {
  const again = attempt === 1 || role === 'resolve' ? '' : ', retry';
  const instead = instead_of === undefined ? '' : ` instead of ${agentName(run, instead_of)}, for there was no progress`;
  return [step(`${glyphs.step}${role === 'resolve' ? 'Resolving the conflict' : 'Executing'} via ${agentName(run, agent)}${instead}${again}...`)];
}

/** How one agent process ended, in the words of seed 000. */
export function agentEndedLines(body: AttemptEnded, change: Change, look: DisplaySettings): readonly Line[] {
  const { glyphs } = look;
  const name = agentName(change.state.run, body.agent);
  const took = spacedDuration(body.duration_ms);
  const how = `(${endingText(body.ending)}, ${took})`;
  switch (body.verdict) {
    case 'ok':
      return [step(`${glyphs.tick}${name} finished (${took})`, 'good', ...costSpans(body)), ...nearClaimLines(body, change, glyphs.caution)];
    case 'failed':
    case 'fatal':
      return [
        step(`${glyphs.cross}Failed ${how}`, 'bad', ...causeSpans(body), ...costSpans(body)),
        ...(isPlainExit(body) ? [] : [detail(whyText(body))]),
        ...(body.verdict === 'fatal' ? takeOverLines(body, change, glyphs.step) : []),
      ];
    case 'limited':
      return [
        step(`${glyphs.caution}Rate limited ${body.limit_known ? '(known from an earlier attempt on this machine)' : how}`, 'busy'),
        ...afterLimitLines(body, change, look),
      ];
    case 'empty':
      return [step(`${glyphs.caution}${name} ended without a word ${how}`, 'busy')];
    case 'lost':
      return [step(`${glyphs.caution}${name} was cut off when the loop died`, 'busy')];
    default:
      return assertNever(body.verdict);
  }
}

/** A task that was reported complete needs no word. */
function nearClaimLines(body: AttemptEnded, { state }: Change, mark: string): readonly Line[] {
  const near = openIn(state, body.iteration)?.currentTask?.isClaimed ? null : nearClaimText(body, state.run?.settings);
  return near === null ? [] : [step(`${mark}${near}`, 'busy')];
}

/** The exit code explains everything. */
function isPlainExit({ verdict, ending }: AttemptEnded): boolean {
  return verdict === 'failed' && ending.kind === 'exited' && ending.code !== 0;
}

function costSpans({ spent }: AttemptEnded) {
  return spent?.cost_usd ? [span(` ${costText(spent.cost_usd)}${spent.estimated ? ' (estimated)' : ''}`, 'dim')] : [];
}

function afterLimitLines(body: AttemptEnded, change: Change, look: DisplaySettings): readonly Line[] {
  const over = takeOverLines(body, change, look.glyphs.step);
  return over.length > 0 ? over : waitLines(change, look);
}

function takeOverLines(body: AttemptEnded, { state, atMs }: Change, mark: string): readonly Line[] {
  const next = takesOver(body, state, atMs);
  return next === null ? [] : [step(`${mark}${agentName(state.run, next)} goes on`, 'busy')];
}

/** `⏳ Rate limited - waiting 60s before retry...`; with the time of day when the provider named one. */
function waitLines({ state, atMs }: Change, { glyphs, clock }: DisplaySettings): readonly Line[] {
  if (!state.run || state.leaving || limitWaitIsTooLong({ state, settings: state.run.settings, nowMs: atMs })) {
    return [step(`${glyphs.step}Ralph does not wait for it`, 'busy')];
  }
  const leftMs = state.limit.untilMs - atMs;
  const long = leftMs > OUR_LONGEST_PAUSE_MS ? `${spacedDuration(leftMs)} (until ${clock(state.limit.untilMs)})` : `${Math.ceil(leftMs / 1000)}s`;
  return [step(`${glyphs.hourglass}Rate limited - waiting ${long} before retry...`, 'busy')];
}

/** After a crash that changed nothing. */
export function crashRetryLines(iteration: number, { state, atMs }: Change<WorkSettings>, mark: string): readonly Line[] {
  const open = openIn(state, iteration);
  const untilMs = open && state.run ? crashRetryAtMs(open, { state, settings: state.run.settings, nowMs: atMs }) : null;
  if (untilMs === null) return [];
  const wait = untilMs > atMs ? ` in ${spacedDuration(untilMs - atMs)}` : '';
  return [step(`${mark}It changed nothing: retry ${open?.currentTask?.crashes?.count ?? 1} of ${MOST_CRASH_RETRIES}${wait}, not counted as a try`, 'busy')];
}

export function claimedLines({ by }: TaskClaimed, { glyphs }: DisplaySettings): readonly Line[] {
  return [step(`${glyphs.step}Reported complete by ${shorten(by, TITLE_CHARS)}`, 'dim')];
}

export function lostTaskLines({ task, why }: TaskLost, { glyphs }: DisplaySettings): readonly Line[] {
  return [step(`${glyphs.caution}${idText(task)} is no longer ours: ${shorten(why, TEXT_CHARS)}`, 'bad')];
}

/** What happens to a task that is not done; for a done one, the merge has said it. */
export function releasedLines(body: TaskReleased, change: Change, { glyphs }: DisplaySettings): readonly Line[] {
  if (!body.was_ours) return [step(`${glyphs.caution}${idText(body.task)} belongs to somebody else by now`, 'bad')];
  if (body.state === 'done') return [];
  const open = openIn(change.before, body.iteration);
  const hand = open?.currentTask ?? null;
  if (body.state === 'parked' && open?.hasAsked && hand?.merge?.result !== 'held')
    return [step(`${glyphs.step}Task parked: its question waits for an answer`, 'busy', span(' (ralph inbox)', 'dim'))];
  const isUnfinished = open?.last?.verdict === 'ok' && hand !== null && !hand.isClaimed && hand.abandonedBecause === null;
  return [
    ...(isUnfinished ? [step(`${glyphs.caution}Exited without completing the task`, 'busy')] : []),
    step(
      `${glyphs.step}${fateText(body, hand, change.before.leaving !== null)}`,
      'busy',
      ...(body.state === 'free' ? [] : [span(` (${wayOut(body, change.state.run?.id ?? '')})`, 'dim')]),
    ),
  ];
}

const wayOut = ({ state, task }: TaskReleased, run: string) =>
  state === 'parked' ? `ralph accept ${run} --task ${idText(task)}` : `ralph task reset ${idText(task)}`;

function fateText({ state }: TaskReleased, held: CurrentTask | null, isLeaving: boolean): string {
  if (state === 'failed') return 'Task left in-progress for manual review';
  if (state === 'parked') return 'Task parked: its claim waits for a person';
  if (state === 'conflict') return 'Task parked as conflict, both sides are kept';
  const why = held?.abandonedBecause ?? null;
  if (why === null && isLeaving) return 'Task released, with the work so far';
  return why === null ? 'Task released for a retry' : `Task released for a retry: ${shorten(why, TEXT_CHARS)}`;
}

export function closedLines({ result }: Extract<EventBody, { type: 'iteration.closed' }>, change: Change, { glyphs, clock }: DisplaySettings): readonly Line[] {
  const [was, now] = [forecastOf(change.before), forecastOf(change.state)];
  const isNews = now !== null && (was?.fits !== now.fits || was.open !== now.open);
  return [
    ...(result === 'abandoned' ? [step(`${glyphs.step}Interrupted; not counted as a try`, 'dim')] : []),
    ...(isNews ? [step(`${glyphs.caution}Forecast: ${forecastText(now, clock(now.closesAtMs))}`, 'busy')] : []),
  ];
}
