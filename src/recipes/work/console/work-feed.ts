import { endingText } from '../../../journal/ending-text.ts';
import type { GateResult } from '../../../journal/events/gates.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import type { BaseBrought, MergeJudged, PlanSettled, TaskNone, WorkspaceClosed, WorkspaceOpened } from '../../../journal/events/work.ts';
import { assertNever } from '../../../kit/pure/assert-never.ts';
import { mostInformativeLine } from '../../../kit/pure/text.ts';
import { bannerLines, resumedLines } from '../../../report/console/banner-lines.ts';
import type { GateFeed } from '../../../report/console/gate-feed.ts';
import { gateWords, isWork } from '../../../report/console/gate-lines.ts';
import { type Line, prose, span } from '../../../report/console/line.ts';
import { type Change, type DisplaySettings, shorten } from '../../../report/console/look.ts';
import { provedLines } from '../../../report/console/proof-lines.ts';
import type { RecipeFeed } from '../../../report/console/recipe-screen.ts';
import { plural } from '../../../report/console/spent-text.ts';
import { baseOf, detail, firstOf, idText, indentedSteps, step } from '../../../report/console/work-lines.ts';
import { startingLine, workBanner } from './work-rows.ts';
import { interruptedLines, workSummaryLines } from './work-summary-lines.ts';
import { agentEndedLines, claimedLines, executingLines, leftTaskLines, lostTaskLines, releasedLines, taskHeading } from './work-task-lines.ts';

type Said<T extends EventBody['type']> = Extract<EventBody, { type: T }>;
type LinesOf<T extends EventBody['type']> = (body: Said<T>, change: Change, means: Means) => readonly Line[] | null;

interface Means {
  readonly look: DisplaySettings;
  readonly gates: GateFeed;
}

/** The screen of a run on a plan (seed 000), where it differs from that of any other run. */
export function openWorkFeed(look: DisplaySettings, gates: GateFeed): RecipeFeed {
  return {
    linesFor: (body, change) => (isWork(change.state.run) ? linesFor(body, change, { look, gates }) : null),
    hearProgress: (progress, { run }) => (isWork(run) ? indentedSteps(gates.hear(progress, gateWords(run))) : null),
  };
}

function linesFor<T extends EventBody['type']>(body: Said<T>, change: Change, means: Means): readonly Line[] | null {
  const tell = linesByType[body.type] as LinesOf<T> | undefined;
  return tell?.(body, change, means) ?? null;
}

/** Events that are missing here are shown as in any other run. */
const linesByType: { readonly [T in EventBody['type']]?: LinesOf<T> } = {
  'run.started': (body, _change, { look }) => [...bannerLines(body, workBanner), startingLine('Starting', look)],
  'run.resumed': (body, { state }, { look }) => [...resumedLines(body, state, workBanner), startingLine('Resuming', look)],
  'run.stopped': ({ outcome }, { state, atMs }, { look, gates }) => workSummaryLines({ outcome, state, judged: gates.last, closed: [], atMs }, look),
  'iteration.opened': ({ iteration }, change, { look }) => taskHeading(iteration, change, look),
  'effect.begun': ({ effect }, change, { look }) => {
    if (effect.kind === 'run-agent') return executingLines(effect, change, look);
    return effect.kind === 'merge' ? mergingLines(change, look) : [];
  },
  'attempt.ended': (body, change, { look }) => agentEndedLines(body, change, look),
  'gates.judged': (body, change, { gates }) => [...indentedSteps(gates.judged(body, change)), ...tellingLines(body.results)],
  'iteration.closed': (body, _change, { look }) => leftTaskLines(body, look),
  'operator.asked': (body, change, { look }) => interruptedLines(body, change, look),
  'task.none': (body, change, { look }) => waitingLines(body, change, look),
  'plan.troubled': (_body, change, { look }) => troubleLines(change, look),
  'task.claimed': (body, _change, { look }) => claimedLines(body, look),
  'task.lost': (body, _change, { look }) => lostTaskLines(body, look),
  'workspace.opened': (body, _change, { look }) => workspaceLines(body, look),
  'workspace.closed': (body, _change, { look }) => workspaceClosedLines(body, look),
  'plan.settled': (body, _change, { look }) => settledLines(body, look),
  'merge.judged': (body, change, { look }) => mergeLines(body, change, look),
  'receipt.written': ({ why_no_note: why }, _change, { look }) =>
    why === undefined ? [] : [step(`${look.glyphs.caution}The receipt could not be added as a note of the commit: ${shorten(why, TEXT_CHARS)}`, 'busy')],
  'base.brought': (body, change, { look }) => broughtLines(body, change, look),
  'task.released': (body, change, { look }) => releasedLines(body, change, look),
};

const TEXT_CHARS = 300;
const MOST_EDITS = 5;

/** The plan is read again and again, so a problem is shown only when it changes. */
function troubleLines({ before, state }: Change, { glyphs }: DisplaySettings): readonly Line[] {
  const why = state.tasks.planProblem?.why ?? '';
  if (why === before.tasks.planProblem?.why) return [];
  return [prose(span(`${glyphs.caution}The plan cannot be worked on: ${shorten(why, TEXT_CHARS)}`, 'bad'), span(' (looking again)', 'dim'))];
}

/** An idle worker is not worth a line while others work; a run that waits for another run is. */
function waitingLines({ held, reason, detail }: TaskNone, { before, state }: Change, { glyphs }: DisplaySettings): readonly Line[] {
  const last = before.tasks.noTask;
  const isOld = last !== null && last.reason === reason && last.detail === detail;
  if (!held || isOld || state.open.length > 0 || state.leaving) return [];
  return [prose(span(`${glyphs.hourglass}No task is ready yet: ${shorten(detail || reason, TEXT_CHARS)}`, 'busy'))];
}

function workspaceLines({ branch, problem }: WorkspaceOpened, { glyphs }: DisplaySettings): readonly Line[] {
  if (problem !== null) return [step(`${glyphs.cross}No worktree: ${shorten(problem, TEXT_CHARS)}`, 'bad')];
  return [step(`${glyphs.step}Branch ${shorten(branch, TEXT_CHARS)}`, 'dim')];
}

function workspaceClosedLines({ kept, problem }: WorkspaceClosed, { glyphs }: DisplaySettings): readonly Line[] {
  return [
    ...(kept === null ? [] : [step(`${glyphs.step}Uncommitted files are kept as ${shorten(kept, TEXT_CHARS)}`, 'dim')]),
    ...(problem === null ? [] : [step(`${glyphs.caution}Its worktree is not removed: ${shorten(problem, TEXT_CHARS)}`, 'busy')]),
  ];
}

/** The agent's edits of the plan: accepted and refused ones. */
function settledLines({ accepted, refused, problem }: PlanSettled, { glyphs }: DisplaySettings): readonly Line[] {
  const edits = (texts: readonly string[]) => firstOf(texts, MOST_EDITS).map((text) => shorten(text, TEXT_CHARS));
  return [
    ...(problem === null ? [] : [step(`${glyphs.cross}Its leftovers could not be committed: ${shorten(problem, TEXT_CHARS)}`, 'bad')]),
    ...edits(accepted).map((text) => step(`${glyphs.step}Change of the plan: ${text}`, 'dim')),
    ...edits(refused).map((text) => step(`${glyphs.caution}Refused and reverted a change of the plan: ${text}`, 'busy')),
  ];
}

const COMMAND_CHARS = 100;
const MOST_SHOWN = 5;

function mergingLines({ state }: Change, { glyphs }: DisplaySettings): readonly Line[] {
  return [step(`${glyphs.step}Merging into ${baseOf(state)}...`, 'dim')];
}

/** Whether the work is on the base now; if not, why, and where it is kept. */
function mergeLines(body: MergeJudged, { state }: Change, look: DisplaySettings): readonly Line[] {
  const base = baseOf(state);
  const { glyphs } = look;
  switch (body.result) {
    case 'merged':
      return [...proofLines(body, look), ...mergedLines(body, base, glyphs)];
    case 'red':
      return [step(`${glyphs.cross}Not merged: ${redText(body)}`, 'bad'), ...redLines(body), ...keptLines(body)];
    case 'held':
      return [...proofLines(body, look), ...keptLines(body)];
    case 'conflict':
      return [step(`${glyphs.cross}Conflict with ${base}: ${pathsText(body.conflicts)}`, 'bad'), ...keptLines(body)];
    case 'moved':
      return [step(`${glyphs.step}${base} has moved meanwhile, merging again`, 'busy')];
    case 'failed':
      return [step(`${glyphs.cross}Merge failed: ${shorten(body.detail, TEXT_CHARS)}`, 'bad'), ...keptLines(body)];
    default:
      return assertNever(body.result);
  }
}

/** How far the work is proven, or why it is held, and who allowed it. */
function proofLines({ proof }: MergeJudged, look: DisplaySettings): readonly Line[] {
  if (!proof) return [];
  const by = proof.allowed_by === null ? [] : [step(`${look.glyphs.step}Allowed by ${shorten(proof.allowed_by, COMMAND_CHARS)}`, 'strong')];
  return [...indentedSteps(provedLines(proof, look)), ...by];
}

function mergedLines(
  { commit, left_behind, unlocked, detail: note }: MergeJudged,
  base: string,
  { tick, caution, step: mark }: DisplaySettings['glyphs'],
): readonly Line[] {
  return [
    step(`${tick}Merged into ${base}${commit === null ? '' : ` (${commit.slice(0, 7)})`}`, 'good'),
    ...(note === '' ? [] : [step(`${caution}${shorten(note, TEXT_CHARS)}`, 'busy')]),
    ...(left_behind === null ? [] : [step(`${caution}Your ${base} does not follow: ${shorten(left_behind, TEXT_CHARS)}`, 'busy')]),
    ...firstOf(
      unlocked.map((id) => `${idText(id)} is now ready`),
      MOST_SHOWN,
    ).map((text) => step(`${mark}${text}`, 'dim')),
  ];
}

function redText({ results, missing, detail: why, proof }: MergeJudged): string {
  const red = results.filter(({ green }) => !green).length;
  const parts = [
    ...(red === 0 ? [] : [`${red} of ${plural(results.length, 'check')} red on the merged result`]),
    ...(missing.length === 0 ? [] : [`${plural(missing.length, 'declared output')} missing`]),
  ];
  return parts.length === 0 ? shorten(proof?.reason || why, TEXT_CHARS) : parts.join(', ');
}

function redLines({ results, missing }: MergeJudged): readonly Line[] {
  return [...firstOf(missing, MOST_SHOWN).map((text) => detail(shorten(text, TEXT_CHARS))), ...tellingLines(results)];
}

/** Each red check with its most informative line. */
function tellingLines(results: readonly GateResult[]): readonly Line[] {
  const red = results.filter(({ green }) => !green);
  return firstOf(red.map(tellingText), MOST_SHOWN).map(detail);
}

function tellingText({ gate, ending, output }: GateResult): string {
  const line = mostInformativeLine(output);
  return `${shorten(gate.command, COMMAND_CHARS)} (${endingText(ending)})${line === '' ? '' : `: ${line}`}`;
}

function pathsText(paths: readonly string[]): string {
  return firstOf(
    paths.map((path) => shorten(path, COMMAND_CHARS)),
    MOST_SHOWN,
  ).join(', ');
}

function keptLines({ kept }: MergeJudged): readonly Line[] {
  return kept === null ? [] : [detail(`kept as ${shorten(kept, TEXT_CHARS)}`)];
}

function broughtLines({ conflicts, problem }: BaseBrought, { state }: Change, { glyphs }: DisplaySettings): readonly Line[] {
  const base = baseOf(state);
  if (problem !== null) return [step(`${glyphs.cross}${base} could not be merged into the worktree: ${shorten(problem, TEXT_CHARS)}`, 'bad')];
  const what = conflicts.length === 0 ? 'no conflicts are left' : `to be resolved: ${pathsText(conflicts)}`;
  return [step(`${glyphs.step}Merged ${base} into the worktree, ${what}`, 'busy')];
}
