import { type EventTable, lookUp } from '../../../journal/events/recipe-events.ts';
import type { BaseBrought, MergeJudged, PlanSettled, TaskNone, WorkspaceClosed, WorkspaceOpened } from '../../../journal/events/work.ts';
import { plural } from '../../../kit/pure/amounts.ts';
import { assertNever } from '../../../kit/pure/assert-never.ts';
import type { GateFeed } from '../../../report/console/gates/gate-feed.ts';
import { gateEndedLines, gateWords } from '../../../report/console/gates/gate-lines.ts';
import { noNoteText, provedLines } from '../../../report/console/gates/proof-lines.ts';
import { type Line, prose, span } from '../../../report/console/line.ts';
import { type Change, type DisplaySettings, idText, shorten } from '../../../report/console/look.ts';
import type { RecipeFeed } from '../../../report/console/recipe-screen.ts';
import { baseOf, detail, firstOf, indentedSteps, step } from '../../../report/console/work-lines.ts';
import type { WorkSettings } from '../task-progress.ts';
import { interruptedLines } from './work-summary-lines.ts';
import { agentEndedLines, claimedLines, closedLines, crashRetryLines, executingLines, lostTaskLines, releasedLines, taskHeading } from './work-task-lines.ts';

type WorkChange = Change<WorkSettings>;

interface Means {
  readonly look: DisplaySettings;
  readonly gates: GateFeed;
}

/** The screen of a run on a plan (seed 000), where it differs from that of any other run. */
export function openWorkFeed(look: DisplaySettings, gates: GateFeed): RecipeFeed {
  return {
    linesFor: (body, change: WorkChange) => lookUp(linesByType, body, change, { look, gates }) ?? null,
    hearProgress: (progress, { run }) => indentedSteps(gates.hear(progress, gateWords(run))),
  };
}

/** Events that are missing here are shown as in any other run. */
const linesByType: EventTable<[change: WorkChange, means: Means], readonly Line[] | null> = {
  'iteration.opened': ({ iteration }, change, { look }) => taskHeading(iteration, change, look),
  'effect.begun': ({ effect }, change, { look }) => {
    if (effect.kind === 'run-agent') return executingLines(effect, change, look);
    return effect.kind === 'merge' ? mergingLines(change, look) : [];
  },
  'attempt.ended': (body, change, { look }) => agentEndedLines(body, change, look),
  'gates.judged': (body, change, { gates }) => indentedSteps(gates.judged(body, change)),
  'iteration.closed': (body, change, { look }) => closedLines(body, change, look),
  'operator.asked': (body, change, { look }) => interruptedLines(body, change, look),
  'task.none': (body, change, { look }) => waitingLines(body, change, look),
  'plan.troubled': (_body, change, { look }) => troubleLines(change, look),
  'task.claimed': (body, _change, { look }) => claimedLines(body, look),
  'task.lost': (body, _change, { look }) => lostTaskLines(body, look),
  'workspace.opened': (body, _change, { look }) => workspaceLines(body, look),
  'workspace.closed': (body, _change, { look }) => workspaceClosedLines(body, look),
  'plan.settled': (body, change, { look }) => settledLines(body, change, look),
  'merge.judged': (body, change, { look }) => mergeLines(body, change, look),
  'receipt.written': ({ why_no_note: why }, _change, { look }) => (why === undefined ? [] : [step(`${look.glyphs.caution}${noNoteText(why)}`, 'busy')]),
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
function settledLines({ iteration, accepted, refused, problem }: PlanSettled, change: WorkChange, { glyphs }: DisplaySettings): readonly Line[] {
  const edits = (texts: readonly string[]) => firstOf(texts, MOST_EDITS).map((text) => shorten(text, TEXT_CHARS));
  return [
    ...(problem === null ? [] : [step(`${glyphs.cross}Its leftovers could not be committed: ${shorten(problem, TEXT_CHARS)}`, 'bad')]),
    ...edits(accepted).map((text) => step(`${glyphs.step}Change of the plan: ${text}`, 'dim')),
    ...edits(refused).map((text) => step(`${glyphs.caution}Refused and reverted a change of the plan: ${text}`, 'busy')),
    ...crashRetryLines(iteration, change, glyphs.hourglass),
  ];
}

const COMMAND_CHARS = 100;
const MOST_SHOWN = 5;

function mergingLines({ state }: WorkChange, { glyphs }: DisplaySettings): readonly Line[] {
  return [step(`${glyphs.step}Merging into ${baseOf(state)}...`, 'dim')];
}

/** Whether the work is on the base now; if not, why, and where it is kept. */
function mergeLines(body: MergeJudged, { state }: WorkChange, look: DisplaySettings): readonly Line[] {
  const base = baseOf(state);
  const { glyphs } = look;
  switch (body.result) {
    case 'merged':
      return [...proofLines(body, state, look), ...mergedLines(body, base, glyphs)];
    case 'red':
      return [step(`${glyphs.cross}Not merged: ${redText(body)}`, 'bad'), ...redLines(body, state, look), ...keptLines(body)];
    case 'held':
      return [...proofLines(body, state, look), ...keptLines(body)];
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
function proofLines({ proof }: MergeJudged, state: WorkChange['state'], look: DisplaySettings): readonly Line[] {
  if (!proof) return [];
  const atStart = (state.living ?? []).filter(({ command }) => state.run?.settings.gates.some((gate) => gate.command === command));
  const by = proof.allowed_by === null ? [] : [step(`${look.glyphs.step}Allowed by ${shorten(proof.allowed_by, COMMAND_CHARS)}`, 'strong')];
  return [...indentedSteps(provedLines(proof, look, atStart)), ...by];
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

/** Nobody saw the checks of a merge while they ran. */
function redLines({ results, missing }: MergeJudged, { run }: WorkChange['state'], look: DisplaySettings): readonly Line[] {
  const red = results.filter(({ green }) => !green).slice(0, MOST_SHOWN);
  const told = red.flatMap((result) => gateEndedLines(result, gateWords(run), look));
  return [...firstOf(missing, MOST_SHOWN).map((text) => detail(shorten(text, TEXT_CHARS))), ...indentedSteps(told)];
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

function broughtLines({ conflicts, problem }: BaseBrought, { state }: WorkChange, { glyphs }: DisplaySettings): readonly Line[] {
  const base = baseOf(state);
  if (problem !== null) return [step(`${glyphs.cross}${base} could not be merged into the worktree: ${shorten(problem, TEXT_CHARS)}`, 'bad')];
  const what = conflicts.length === 0 ? 'no conflicts are left' : `to be resolved: ${pathsText(conflicts)}`;
  return [step(`${glyphs.step}Merged ${base} into the worktree, ${what}`, 'busy')];
}
