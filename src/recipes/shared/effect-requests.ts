import type { Decision, View } from '../../engine/decide/recipe.ts';
import type { RunAgent, RunGates } from '../../journal/effects/effect.ts';
import { notesFor } from '../../journal/state/instructions.ts';
import type { OpenIteration } from '../../journal/state/state.ts';
import { slug } from '../../kit/pure/text.ts';
import { agentToAsk } from '../../limits/agents.ts';
import { costShareUsd } from '../../limits/money.ts';
import { lastIterationNumber } from '../../limits/retry-policy.ts';
import { needsTree } from '../../limits/stuck.ts';
import { timeIsUp, timeIsUpAtMs } from '../../limits/time.ts';
import { isAcceptable, provesClaims } from '../../proof/judge/acceptance.ts';
import { factsOf, protectedPaths, verifiesClean } from '../../settings/schema/recipe-facts.ts';
import type { ProofSpec } from '../../settings/schema/run-settings.ts';
import { commitsByGit, leavesDirtOut } from '../../settings/schema/scm-words.ts';
import { isReadyForScm } from './scm-tasks.ts';

/** Runs all gates on the workspace as it is now. `phase` names their logs; the default depends on the progress of the iteration. */
export function gatesRequest(iteration: OpenIteration, view: View, phase?: string): Decision {
  const { last, latest, review } = iteration;
  const again = latest.judgements === 0 ? '' : `~${latest.judgements}`;
  const keepTree = commitsByGit(view.settings.scm) || factsOf(view.settings).keepsProgress || (Boolean(last?.claim) && provesClaims(view));
  return {
    kind: 'do',
    effect: {
      kind: 'run-gates',
      key: `gates:${iteration.number}.${latest.attempt}${again}`,
      iteration: iteration.number,
      attempt: latest.attempt,
      where: 'workspace',
      gates: [...view.settings.gates],
      name_tree: keepTree || namesTree(Boolean(last?.claim), view) || (view.state.work.baseline !== null && needsTree(view)),
      keep_tree: keepTree,
      ...(keepTree && leftDirt(view)),
      protect: protectedBy(view),
      tree: null,
      until: gatesDeadlineMs(view),
      phase: phase ?? (review.last === null ? phaseOf(iteration) : reviewPhase(iteration, view)),
    },
  };
}

/** Nothing if all of the work tree may be committed. Before the first commit of a repository all of it is new. */
function leftDirt({ state, settings }: View): Pick<RunGates, 'start'> {
  const { startHead: head, startTree: tree, isDirtyAtStart = false } = state;
  return isDirtyAtStart && head !== undefined && tree !== null && leavesDirtOut(settings.scm) ? { start: { head, tree } } : {};
}

/** What a claim is compared with: what the run started with, without what was dirty then if no commit will have that. Null when git cannot write it. */
export function baseOfProofs(view: View): string | null {
  return leftDirt(view).start?.head ?? view.state.startTree;
}

/** When the time is already up, the gates get their own time limits: the work of an agent that was cut off is still judged. */
export function gatesDeadlineMs(view: View): number | null {
  return timeIsUp(view) ? null : timeIsUpAtMs(view);
}

/** The paths that gates may not leave changed; null when nothing is protected. */
export function protectedBy({ state, settings }: View): RunGates['protect'] {
  const paths = protectedPaths(settings);
  return paths.length === 0 || state.startTree === null ? null : { tree: state.startTree, paths: [...paths] };
}

/** Empty for the work itself, so that its logs have the names of seed 001. */
function phaseOf({ last, latest, scm }: OpenIteration): string {
  const attempt = latest.attempt === last?.attempt ? '' : 'message';
  const again = latest.judgements > 0 || scm.refusals > 0 ? `again_${latest.judgements + scm.refusals}` : '';
  return [attempt, again].filter(Boolean).join('_');
}

/** Adds the position in the cycle when two reviews would have the same file name. */
function reviewPhase({ review }: OpenIteration, { settings }: View): string {
  const names = (settings.reviews?.prompts ?? []).map(({ name }) => slug(name, 'review'));
  const name = names[review.next] ?? '';
  const place = names.filter((other) => other === name).length > 1 ? `${review.next + 1}_` : '';
  return `review_${place}${name}${review.retries === 0 ? '' : `_${review.retries}`}`;
}

/** Always for a claim; otherwise only if a change is required and none was seen yet, because naming a tree costs more than the rest of an iteration. */
function namesTree(isClaimed: boolean, { state, settings }: View): boolean {
  if (state.work.baseline === null) return false;
  return isClaimed || (settings.requireChange && settings.gates.length > 0 && !state.work.seen);
}

/** What differs between the requests to an agent. */
type Question = Pick<RunAgent, 'role'> & Partial<Pick<RunAgent, 'prompt' | 'about' | 'failures' | 'context' | 'previous_life' | 'cwd' | 'work' | 'turn'>>;

/** Starts a fresh agent in this iteration, within the remaining time and money of the run. */
export function agentRequest(iteration: OpenIteration, view: View, question: Question): Decision {
  const attempt = iteration.attempts + 1;
  const chosen = agentToAsk(iteration, view);
  return {
    kind: 'do',
    effect: {
      kind: 'run-agent',
      key: `agent:${iteration.number}.${attempt}`,
      iteration: iteration.number,
      attempt,
      prompt: null,
      about: '',
      failures: [],
      maximum: lastIterationNumber(view.state),
      context: null,
      previous_life: null,
      until: timeIsUpAtMs(view),
      budget_usd: costShareUsd(view),
      ...(chosen && { agent: chosen.name }),
      ...(chosen?.insteadOf !== undefined && { instead_of: chosen.insteadOf }),
      ...notesIn(question.role, iteration, view),
      ...question,
    },
  };
}

/** A note is for whoever does the work. What came with the task itself is told already. */
function notesIn(role: RunAgent['role'], { currentTask, turn }: OpenIteration, { state }: View): Pick<RunAgent, 'notes'> {
  if (role !== 'work') return {};
  const told = new Set(currentTask?.answers?.map(({ answer }) => answer));
  const notes = notesFor(currentTask?.task.id ?? turn?.story ?? null, state).filter((note) => !told.has(note));
  return notes.length === 0 ? {} : { notes: [...notes] };
}

/** Green gates have changed files, and the result will be kept: in a commit, or in a receipt. */
export function secondJudgementIsDue(iteration: OpenIteration, view: View): boolean {
  const { judged, latest } = iteration;
  if (judged === null || judged.tree === judged.treeAfter || latest.judgements > 1) return false;
  const { settings } = view;
  return (commitsByGit(settings.scm) && isReadyForScm(iteration, view)) || (factsOf(settings).keepsProgress && isAcceptable(iteration, view));
}

/** Everything is green and claimed, and was not yet verified without the stray files of the workspace. */
export function verificationIsDue(iteration: OpenIteration, view: View): boolean {
  return verifiesClean(view.settings) && iteration.verified === null && isAcceptable(iteration, view);
}

interface Proving {
  readonly tree: string;
  /** The tree whose deciders count. */
  readonly base: string;
  /** The commit of HEAD, and what HEAD was when the base was taken: what differs between them, and no agent touched, a person has committed since. */
  readonly head: string | null;
  readonly from: string | undefined;
  readonly proof: ProofSpec;
  /** Files that are not in the tree. */
  readonly without?: readonly string[];
}

/** Before a claim counts: it must be green in a clean copy, green with the deciders of the base, and planted failures must be noticed. */
export function proofRequest({ number, latest, verified, turn }: OpenIteration, view: View, proving: Proving): Decision {
  const { tree, base, head, from, proof, without = [] } = proving;
  return {
    kind: 'do',
    effect: {
      kind: 'prove',
      key: `prove:${number}.${latest.attempt}~${latest.judgements}`,
      iteration: number,
      attempt: latest.attempt,
      gates: [...view.settings.gates],
      tree,
      base,
      ...(from !== undefined && head !== null && head !== from && { moved: { from, to: head } }),
      level: proof.level,
      may_change: [...proof.mayChange],
      living: [...(view.state.living ?? [])],
      seen_clean: verified?.green === true,
      ...(verified?.green && { seen_tests: verified.checks.flatMap(({ command, tests }) => (tests === undefined ? [] : [{ command, tests }])) }),
      ...(turn !== null && { story: turn.story }),
      ...(view.state.sealedRuns !== undefined && { sealed_runs: view.state.sealedRuns }),
      ...(without.length > 0 && { without: [...without] }),
      until: gatesDeadlineMs(view),
    },
  };
}

/** Everything is green and claimed, and not yet proven. */
export function proofIsDue(iteration: OpenIteration, view: View): boolean {
  return provesClaims(view) && iteration.proved === null && isAcceptable(iteration, view);
}
