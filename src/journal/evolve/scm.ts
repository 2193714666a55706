import type { Effect } from '../effects/effect.ts';
import type { CommandEnded, CommitMade, CommitRefused } from '../events/scm.ts';
import { endingText } from '../ending-text.ts';
import type { OpenIteration, RunState } from '../state/state.ts';
import { withIteration } from './with-iteration.ts';

/** How often in one iteration the gates look again at a workspace that changed under a commit. */
const MOST_REFUSALS = 3;

/** The work is in the history. If a hook has changed it there, the gates have not seen it yet. */
export function afterCommit(state: RunState, body: CommitMade, effect: Effect | undefined): RunState {
  const commits = { count: state.commits.count + 1, last: { commit: body.commit, tree: body.tree, message: body.message }, problem: null };
  return withIteration({ ...state, commits }, body.iteration, (iteration) => {
    const asSeen = iteration.judged !== null && body.tree === iteration.judged.tree;
    const judged = asSeen && iteration.judged ? { ...iteration.judged, head: body.commit, headTree: body.tree } : null;
    return { ...withTaskDone(iteration, effect), judged };
  });
}

/** A workspace that changed is judged again, a few times; anything else ends the SCM tasks of this iteration, and never the loop. */
export function afterRefusal(state: RunState, body: CommitRefused): RunState {
  const refusals = (state.open.find(({ number }) => number === body.iteration)?.scm.refusals ?? 0) + 1;
  if (body.reason === 'changed' && refusals < MOST_REFUSALS) {
    return withIteration(state, body.iteration, (iteration) => ({ ...iteration, judged: null, scm: { ...iteration.scm, refusals } }));
  }
  const told = withProblem(state, body.iteration, body.detail);
  return body.reason === 'no-message' ? told : unlessUntouched(told, body.iteration, body.tree);
}

export function afterCommand(state: RunState, body: CommandEnded, effect: Effect | undefined): RunState {
  const { ending, argv, last_line } = body;
  if (ending.kind === 'exited' && ending.code === 0) {
    const done = withIteration({ ...state, commits: { ...state.commits, problem: null } }, body.iteration, (iteration) => withTaskDone(iteration, effect));
    return body.tree === null ? done : unlessUntouched(done, body.iteration, body.tree);
  }
  const what = `${argv.join(' ')}: ${endingText(ending)}`;
  return withProblem(state, body.iteration, last_line === '' ? what : `${what}: ${last_line}`);
}

/** Where it cannot be shown that the workspace is what the gates saw, they look once more before anything is accepted. */
function unlessUntouched(state: RunState, iteration: number, tree: string | null): RunState {
  return withIteration(state, iteration, (open) => {
    const untouched = tree !== null && (tree === open.judged?.tree || tree === open.judged?.treeAfter);
    return untouched ? open : { ...open, judged: null };
  });
}

function withProblem(state: RunState, iteration: number, problem: string): RunState {
  const told = { ...state, commits: { ...state.commits, problem } };
  return withIteration(told, iteration, (open) => ({ ...open, scm: { ...open.scm, over: true } }));
}

function withTaskDone(iteration: OpenIteration, effect: Effect | undefined): OpenIteration {
  const done = effect?.kind === 'commit' || effect?.kind === 'run-command' ? effect.task + 1 : iteration.scm.next;
  return { ...iteration, scm: { ...iteration.scm, next: done } };
}
