import type { Decision, StepRule, View } from '../../../engine/decide/recipe.ts';
import type { CleanContext } from '../../../journal/effects/effect.ts';
import type { IterationResult } from '../../../journal/events/run.ts';
import { answersAbout } from '../../../journal/state/questions.ts';
import type { JudgedWork, OpenIteration } from '../../../journal/state/state.ts';
import { truncateCodePoints } from '../../../kit/pure/text.ts';
import { mayRetry } from '../../../limits/retry-policy.ts';
import { reasonToAbandon, untilTimeIsUp } from '../../../limits/time.ts';
import { isAcceptable, isDoneClaim, isGreen, provesClaims } from '../../../proof/judge/acceptance.ts';
import { ownWorktreeOf, verifiesClean } from '../../../settings/schema/recipe-facts.ts';
import type { ScmSpec } from '../../../settings/schema/run-settings.ts';
import { commitsByGit, isCommit, isGit, wordsIn } from '../../../settings/schema/scm-words.ts';
import {
  agentRequest,
  baseOfProofs,
  gatesDeadlineMs,
  gatesRequest,
  proofIsDue,
  proofRequest,
  secondJudgementIsDue,
  verificationIsDue,
} from '../../shared/effect-requests.ts';
import { told } from '../../shared/rules/questions.ts';
import { isReadyForScm, MESSAGE_PROMPT, nextTask } from '../../shared/scm-tasks.ts';
import { cleanContext } from '../clean-prompt.ts';

/** Starts a fresh agent for this iteration. Retries after a usage limit, and a few times after an empty answer. Neither costs an iteration. */
export const runTheAgent: StepRule = agentWith(() => null);

/** The same with what earlier iterations did: the agent starts with a clean context. */
export const runTheAgentWithTheProgress: StepRule = agentWith(cleanContext);

function agentWith(contextOf: (view: View) => CleanContext | null): StepRule {
  return (iteration, view) => {
    const { state, settings, nowMs } = view;
    const { last, repeated, failures } = iteration;
    if (last !== null && !mayRetry(last.verdict, repeated, settings.limits.repeats)) return null;
    if (nowMs < state.limit.untilMs) return { kind: 'wait', untilMs: untilTimeIsUp(state.limit.untilMs, view) };
    return agentRequest(iteration, view, { role: 'work', failures: [...failures], context: contextOf(view), ...told(answersAbout(null, state)) });
  };
}

/** Once enough iterations were green, each review prompt gets a fresh agent, followed by the gates. A stopping run starts no further review. */
export const reviewTheWork: StepRule = (iteration, view) => {
  const { settings, state, nowMs } = view;
  if (!isDue(iteration, view) || reasonToAbandon(view) !== null) return null;
  const review = settings.reviews?.prompts[iteration.review.next];
  if (!review) return null;
  if (nowMs < state.limit.untilMs) return { kind: 'wait', untilMs: state.limit.untilMs };
  return agentRequest(iteration, view, { role: 'review', prompt: review.prompt, about: review.name, failures: [...(iteration.judged?.failures ?? [])] });
};

function isDue({ last, judged, review }: OpenIteration, { settings, state }: View): boolean {
  if (settings.reviews === null || last?.verdict !== 'ok') return false;
  return review.begun || (judged?.green === true && state.reviews.greenSince + 1 >= settings.reviews.after);
}

/**
 * A gate that formats files makes later gates green on files that nobody has committed. So all gates run once more on what green gates have changed.
 * What they change again then (a report, a time stamp) is left for the next commit.
 */
export const judgeChangesOfTheGates: StepRule = (iteration, view) => (secondJudgementIsDue(iteration, view) ? gatesRequest(iteration, view) : null);

/** Before a run may end well: the same gates on a fresh checkout of the same tree, without stray files of the workspace. */
export const verifyInACleanCheckout: StepRule = (iteration, view) => {
  const { gates } = view.settings;
  const { judged, number, latest } = iteration;
  if (!judged?.tree || !verificationIsDue(iteration, view)) return null;
  return {
    kind: 'do',
    effect: {
      kind: 'run-gates',
      key: `verify:${number}.${latest.attempt}~${latest.judgements}`,
      iteration: number,
      attempt: latest.attempt,
      where: 'clean',
      gates: [...gates],
      name_tree: false,
      keep_tree: false,
      phase: 'clean',
      protect: null,
      tree: judged.commitTree ?? judged.tree,
      until: gatesDeadlineMs(view),
    },
  };
};

/** Before a claim counts: it must be green in a clean copy, green with the deciders of the start, and planted failures must be noticed. */
export const proveTheClaim: StepRule = (iteration, view) => {
  const { proof } = view.settings;
  const base = baseOfProofs(view);
  const { tree = null, commitTree = tree, head = null, dirt } = iteration.judged ?? {};
  if (commitTree === null || base === null || proof === undefined || !proofIsDue(iteration, view)) return null;
  return proofRequest(iteration, view, { tree: commitTree, base, head, from: view.state.startHead, proof, ...(dirt && { without: dirt.paths }) });
};

/** Before the first SCM task, if there is something to commit: asks the agent for a commit message. Asked once; a limit or an error gives no message (seed 001). */
export const askForTheMessage: StepRule = (iteration, view) => {
  if (!needsAMessage(iteration, view)) return null;
  const { asked } = iteration.scm;
  if (asked) return refused(iteration, `the agent did not provide a valid commit message${asked.why === '' ? '' : `: ${asked.why}`}`);
  if (view.nowMs < view.state.limit.untilMs) return refused(iteration, 'a usage limit was reached before the agent could be asked for a commit message');
  return agentRequest(iteration, view, { role: 'message', prompt: MESSAGE_PROMPT });
};

/** A commit follows, the agent writes its message, and has not done so yet. */
function needsAMessage(iteration: OpenIteration, view: View): boolean {
  const { scm } = view.settings;
  if (scm === null || scm.message === 'generated' || iteration.scm.message !== null || !isReadyForScm(iteration, view)) return false;
  const next = nextTask(iteration, scm);
  if (next === null || !scm.tasks.slice(next).some(isCommit)) return false;
  return !commitsByGit(scm) || Boolean(iteration.judged?.tree);
}

function refused({ number }: OpenIteration, detail: string): Decision {
  return { kind: 'say', event: { type: 'commit.refused', key: `commit:${number}`, iteration: number, reason: 'no-message', detail, tree: null } };
}

/** After green gates: runs the SCM tasks in order until one fails. Commits exactly the tree that the gates judged. */
export const runScmTasks: StepRule = (iteration, view) => {
  const { scm } = view.settings;
  if (scm === null || !isReadyForScm(iteration, view)) return null;
  const task = nextTask(iteration, scm);
  if (task === null) return null;
  if (!isCommit(scm.tasks[task] ?? '') || !isGit(scm)) return runTask(iteration, scm, task);
  return commit(iteration, { scm, task, judged: iteration.judged, message: messageOf(iteration, view) });
};

interface Wanted {
  readonly scm: ScmSpec;
  readonly task: number;
  readonly judged: JudgedWork | null;
  readonly message: string | null;
}

/** On our own branches, a commit names its run and iteration, for `ralph worktree` and for people. */
function messageOf({ number, scm }: OpenIteration, { state, settings }: View): string | null {
  if (settings.scm?.message !== 'generated') return scm.message;
  const [task = ''] = settings.prompt.from === 'text' ? settings.prompt.text.trim().split('\n') : [settings.prompt.path];
  const trailer = ownWorktreeOf(settings) ? `\n\nRalph-Run: ${state.run?.id}/${number}` : '';
  return `Iteration ${number}: ${truncateCodePoints(task, 60, '…')}${trailer}`;
}

function commit({ number, attempts, scm: { refusals } }: OpenIteration, { scm, task, judged, message }: Wanted): Decision {
  const key = `commit:${number}.${task}${refusals === 0 ? '' : `~${refusals}`}`;
  if (!judged?.tree || message === null) {
    const detail = `git cannot name the working copy: ${judged?.problem ?? 'no reason given'}`;
    return { kind: 'say', event: { type: 'commit.refused', key, iteration: number, reason: 'failed', detail, tree: null } };
  }
  const flags = wordsIn(scm.tasks[task] ?? '').slice(1);
  const { head: parent, tree: seen, treeAfter, commitTree, dirt } = judged;
  const tree = commitTree ?? seen;
  const without = commitTree === undefined ? {} : { judged: seen, changed_dirt: [...(dirt?.changed ?? [])] };
  return {
    kind: 'do',
    effect: { kind: 'commit', key, iteration: number, attempt: attempts, task, parent, message, flags, tree, tree_after: treeAfter ?? seen, ...without },
  };
}

/** Any other task, and the commit of any other SCM: `-am` and the message are then ordinary arguments (seed 001). */
function runTask({ number, attempts, scm: { message } }: OpenIteration, scm: ScmSpec, task: number): Decision {
  const words = wordsIn(scm.tasks[task] ?? '');
  const said = isCommit(scm.tasks[task] ?? '') ? ['-am', message ?? ''] : [];
  return {
    kind: 'do',
    effect: {
      kind: 'run-command',
      key: `scm:${number}.${task}`,
      iteration: number,
      attempt: attempts,
      task,
      argv: [...wordsIn(scm.command), ...words, ...said],
      repeatable: words[0] === 'push',
    },
  };
}

/** The last step: records the result of the iteration, and whether its claim is accepted. */
export const closeTheIteration: StepRule = (iteration, view) => {
  const said = iteration.last?.claim ?? null;
  const claim = said !== null && isDoneClaim(said) ? said : null;
  const accepted = isAcceptable(iteration, view) && isVerified(iteration, view) && isProven(iteration, view);
  const refused = claim !== null && !accepted && isGreen(iteration) && iteration.proved?.verdict !== 'held';
  const zeroWork = (claim !== null || accepted) && iteration.judged?.changed === false;
  return {
    kind: 'say',
    event: { type: 'iteration.closed', iteration: iteration.number, result: refused ? 'red' : resultOf(iteration), claim, accepted, zero_work: zeroWork },
  };
};

/** With clean verification, only what was green in a fresh checkout is accepted. */
function isVerified({ verified }: OpenIteration, { settings }: View): boolean {
  return !verifiesClean(settings) || verified?.green === true;
}

/** A tree that git cannot name cannot be copied, so it cannot be proven. */
function isProven({ judged, proved }: OpenIteration, view: View): boolean {
  return !provesClaims(view) || judged?.tree == null || proved?.verdict === 'proven';
}

function resultOf(iteration: OpenIteration): IterationResult {
  if (iteration.last?.verdict !== 'ok') return 'failed';
  return isGreen(iteration) ? 'green' : 'red';
}
