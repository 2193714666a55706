import type { RunState } from '../../journal/state/state.ts';
import { howToAnswer } from '../../journal/words/claim.ts';
import { howToResume, type StopReason } from '../../journal/words/outcome.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { ownWorktreeOf, planPathOf, storiesSpecOf, taskSpecOf, workSpecOf } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { NextCommand, NotProvenView, RunReport } from './report-view.ts';

interface Known extends Pick<RunReport, 'status' | 'questions' | 'proven' | 'not_proven'> {
  readonly state: RunState;
}

/** What a person can do now, the most urgent first. Every line is a command that can be copied. */
export function nextCommands(known: Known): readonly NextCommand[] {
  const { state, questions, proven, not_proven } = known;
  const run = state.run?.id ?? '';
  return [
    ...questions.filter(({ kind }) => kind !== 'waiting').map(({ task }) => answerCommand(run, task)),
    ...not_proven.flatMap((item) => forItem(item, state)),
    ...goOn(known),
    ...worktreeCommands(state),
    ...(proven.some(({ receipt }) => receipt !== null) ? [{ command: `ralph verify ${run}`, why: 'run the checks of its receipts again' }] : []),
  ];
}

function answerCommand(run: string, task: string | null): NextCommand {
  return { command: howToAnswer({ task }, run), why: `answer the question${task === null ? '' : ` about ${task}`}` };
}

/** A question has its command already. */
function forItem({ task, state: how, branch, waits_for_a_person }: NotProvenView, { run, stopped }: RunState): readonly NextCommand[] {
  const name = task ?? 'the work';
  if (how === 'held') {
    const about = task === null ? '' : ` --task ${shellQuote(task)}`;
    const isOpen = stopped !== null || task !== null;
    return isOpen && waits_for_a_person ? [{ command: `ralph accept ${run?.id}${about}`, why: `let ${name} pass with its changed tests or settings` }] : [];
  }
  const work = workSpecOf(run?.settings);
  if (!waits_for_a_person || task === null || run === null || work === null) return [];
  const look = branch === null ? [] : [{ command: `git log -p ${shellQuote(`${work.base}..${branch}`)}`, why: `look at what was done for ${name}` }];
  if (how === 'asks') return look;
  return [...look, { command: howToAnswer({ task }, run.id), why: `have ${name} tried again${inAnotherRun(stopped)}, with what its agent has to know` }];
}

/** A resumed run has used up the same limits. */
export const SPENT: ReadonlySet<StopReason> = new Set(['max_iterations', 'budget_exhausted', 'timeout', 'max_restarts']);
const inAnotherRun = (stopped: RunState['stopped']) => (stopped !== null && SPENT.has(stopped.stop_reason) ? ', by the next ralph work' : '');
/** A resume would end at once. */
const OVER: ReadonlySet<StopReason> = new Set(['completed', 'all_checks_passed', 'held', 'dead_gate', 'sealed_red']);

function goOn({ state: { run, stopped }, status, questions }: Known): readonly NextCommand[] {
  if (run === null) return [];
  if (status === 'running') return [{ command: `ralph runs tail ${run.id} --follow`, why: 'watch its agent' }];
  if (status === 'unknown') return [{ command: `ralph status ${run.id}`, why: 'ask where it was started: its process cannot be seen from here' }];
  if (status === 'dead') return [{ command: howToResume(run.id), why: 'continue: its process is gone' }];
  if (stopped === null || OVER.has(stopped.stop_reason)) return [];
  if (SPENT.has(stopped.stop_reason)) return startAgain(run.settings);
  return questions.length > 0 ? [] : [{ command: howToResume(run.id), why: 'continue where it stopped' }];
}

/** For runs whose command line can be known; the prompt of the others is the operator's. */
function startAgain(settings: RunSettings): readonly NextCommand[] {
  const plan = planPathOf(settings) ?? storiesSpecOf(settings)?.plan;
  const supervise = taskSpecOf(settings);
  if (plan !== undefined)
    return [{ command: `ralph work --plan ${shellQuote(plan)}`, why: 'start another run on what is left: the limits of this one are used up' }];
  if (!supervise) return [];
  const { project, task, folder } = supervise;
  const root = folder.split('/').slice(0, -2).join('/');
  return [
    {
      command: `ralph supervise --root ${shellQuote(root)} --project ${shellQuote(project)} --task ${shellQuote(task)}`,
      why: 'start another run: the limits of this one are used up',
    },
  ];
}

/** Three dots: only the changes of the branch, however far the operator's own branch has moved. */
function worktreeCommands({ run, commits, stopped }: RunState): readonly NextCommand[] {
  const worktree = ownWorktreeOf(run?.settings);
  if (!worktree || stopped === null) return [];
  const git = (folder: string, ...words: readonly string[]) => ['git', '-C', folder, ...words].map(shellQuote).join(' ');
  if (commits.count === 0) return [{ command: git(worktree.path, 'status'), why: 'see what the agent left in its worktree' }];
  return [
    { command: git(worktree.repository, 'diff', `HEAD...${worktree.branch}`), why: 'look at the changes' },
    { command: git(worktree.repository, 'merge', worktree.branch), why: 'take them' },
  ];
}
