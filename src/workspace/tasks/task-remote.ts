import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedBase } from '../../engine/ports/task-branches.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import type { Captured } from '../../process/capture.ts';
import { firstComplaint, type Git, openGitCommand, type Variables } from '../git/git-command.ts';
import { feedGit } from '../git/git-feed.ts';
import { followBase } from './follow.ts';
import { baseRef, commitsOf, headRef, mergedRef, moveRefs, refsAmong } from './git-task-base.ts';
import type { TaskGit } from './git-task-place.ts';
import { GitTrouble, must, orTrouble } from './locks.ts';

/** The remote that the machines of a fleet share. What its branch and its `merged` refs say counts on all of them. */
export interface TaskRemote extends SharedBase {
  /** Fetches the base and the `merged` refs, and moves our base to it. Resolves with the remote's commit. Insists for a while if the remote cannot be reached. */
  fetch(): Promise<string>;
  /** Fetches a task's branch that another machine has pushed, unless it is here or was never pushed. */
  bring(branch: string): Promise<void>;
  /** Moves the remote's base from that commit and creates the `merged` ref, both or neither. `moved`: somebody was faster, or the number is fenced. */
  land(request: Landing): Promise<'landed' | 'moved'>;
}

interface Landing {
  /** Where the base of the remote was when the merge began. */
  readonly from: string;
  readonly commit: string;
  readonly task: string;
  readonly n: number;
}

/** Other programs, and a slow line, need their time. */
const REMOTE_TIMEOUT_MS = 10 * 60_000;
/** A short outage ends no run. */
const PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 20_000];
const FETCH = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--force'];
const PUSH = ['-c', 'push.gpgSign=false', '-c', 'push.followTags=false', 'push', '--quiet', '--no-recurse-submodules'];

/** Asks for no password: nobody is there to type it. */
export function openRemoteGit(topLevel: string, env: Variables): Git {
  return openGitCommand(topLevel, { ...env, GIT_TERMINAL_PROMPT: '0' }, REMOTE_TIMEOUT_MS);
}

/** Git and the remote, and what is said when they fail. */
interface Talk {
  readonly name: string;
  readonly git: Git;
  push(words: readonly string[]): Promise<Captured>;
  /** The refs as they are there now, by their names. Insists for a while. */
  listed(...refs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  cannotReach(answer: Captured): OperatorError;
  refuses(answer: Captured): OperatorError;
}

function openTalk({ topLevel, env }: TaskGit, name: string): Talk {
  const git = openRemoteGit(topLevel, env);
  const [cannotReach, refuses] = [complaintAbout(name, 'unreachable'), complaintAbout(name, 'refuses')];
  return {
    ...{ name, git, cannotReach, refuses },
    push: async (words) => await git([...PUSH, ...words]),
    async listed(...refs) {
      const answer = await insist(
        () => git(['ls-remote', name, ...refs]),
        ({ code }) => code === 0,
      );
      if (answer.code !== 0) throw cannotReach(answer);
      return new Map([...answer.stdout.matchAll(/^([0-9a-f]+)\t(.+)$/gm)].map(([, commit = '', ref = '']) => [ref, commit]));
    },
  };
}

/** Tries again, with longer and longer pauses. Resolves with the last answer. */
async function insist<T>(ask: () => Promise<T>, isGood: (answer: T) => boolean): Promise<T> {
  let answer = await ask();
  for (const pauseMs of PAUSES_MS) {
    if (isGood(answer)) break;
    await sleep(pauseMs);
    answer = await ask();
  }
  return answer;
}

export function openTaskRemote(ground: TaskGit, name: string): TaskRemote {
  const talk = openTalk(ground, name);
  const { git, push, listed, cannotReach, refuses } = talk;
  const inTurn = openTurns();
  const fetchOnce = () => inTurn(() => fetchBase(ground, talk));
  const fetch = async () => {
    const fetched = await insist(fetchOnce, (answer) => typeof answer === 'string');
    if (typeof fetched !== 'string') throw cannotReach(fetched);
    return fetched;
  };

  return {
    fetch,
    catchUp: () =>
      orTrouble(async () => {
        const fetched = await fetchOnce();
        if (typeof fetched !== 'string') throw new GitTrouble(cannotReach(fetched).message);
        await orTrouble(() => followBase(ground));
        return null;
      }),

    bring: (branch) =>
      inTurn(async () => {
        const ref = headRef(branch);
        const [here = null] = await commitsOf(ground, [ref]);
        if (here === null && (await listed(ref)).has(ref)) must(await git([...FETCH, name, `${ref}:${ref}`]), `${branch} cannot be fetched from ${name}`);
      }),

    async publish(branch, head) {
      const ref = headRef(branch);
      const pushed = await push([name, `+${head}:${ref}`]);
      if (pushed.code !== 0 && (await listed(ref)).get(ref) !== head) throw refuses(pushed);
    },

    land: (request) => landOn(ground, talk, request),

    async fence(task, n) {
      await fenceUpTo(ground, talk, { task, n });
      await fetch();
    },

    async tidy(task, n) {
      const ofTask = Array.from({ length: n }, (_, index) => headRef(`ralph/${task}.${index + 1}`));
      const there = [...(await listed(...ofTask)).keys()].filter((ref) => ofTask.includes(ref));
      if (there.length > 0) await push([name, ...there.map((ref) => `:${ref}`)]);
    },
  };
}

/** Resolves with the commit of the remote, or with git's answer if it could not fetch. */
async function fetchBase(ground: TaskGit, { name, git }: Talk): Promise<string | Captured> {
  const [baseName, operatorName, seen] = [baseRef(ground.base), headRef(ground.base), `refs/ralph/remote/${ground.base}`];
  const fetched = await git([...FETCH, name, `+${operatorName}:${seen}`, '+refs/ralph/merged/*:refs/ralph/merged/*']);
  if (fetched.code !== 0) return fetched;
  const [remote = null, base = null, operator = null] = await commitsOf(ground, [seen, baseName, operatorName]);
  if (remote === null) throw new GitTrouble(`${seen} is gone`);
  if (base === remote) return remote;
  if (base !== null && !(await isKnown(ground, base, [remote, operator]))) throw notPushed(ground.base, name, baseName);
  const refused = await moveRefs(ground, [`update ${baseName} ${remote} ${base ?? '0'.repeat(remote.length)}`]);
  if (refused !== null) throw new GitTrouble(`${baseName} cannot be moved: ${refused}`);
  return remote;
}

async function landOn(ground: TaskGit, { name, push, listed, refuses }: Talk, { from, commit, task, n }: Landing): Promise<'landed' | 'moved'> {
  const [base, merged] = [headRef(ground.base), mergedRef(task, n)];
  const leases = [`--force-with-lease=${base}:${from}`, `--force-with-lease=${merged}:`];
  const pushed = await push(['--atomic', ...leases, name, `${commit}:${base}`, `${commit}:${merged}`]);
  if (pushed.code === 0) return 'landed';
  // The answer of a push that arrived may be lost.
  const there = await listed(base, merged);
  if (there.get(merged) === commit) return 'landed';
  if (there.has(merged) || there.get(base) !== from) return 'moved';
  throw refuses(pushed);
}

/** Under a number that has a ref nothing can land. What has landed before keeps its ref. */
async function fenceUpTo(ground: TaskGit, { name, push, listed, refuses }: Talk, { task, n }: { readonly task: string; readonly n: number }): Promise<void> {
  const all = Array.from({ length: n }, (_, index) => mergedRef(task, index + 1));
  const known = await refsAmong(ground, all);
  const open = all.filter((ref) => !known.has(ref));
  if (open.length === 0) return;
  const nothing = await feedGit({ cwd: ground.topLevel, env: ground.env }, { args: ['hash-object', '-w', '--stdin'], stdin: '', mostBytes: 100 });
  const blob = nothing.stdout.toString().trim();
  // Not atomic: one of them may have landed meanwhile.
  const fenced = await push([...open.map((ref) => `--force-with-lease=${ref}:`), name, ...open.map((ref) => `${blob}:${ref}`)]);
  if (fenced.code === 0) return;
  const there = await listed(...open);
  if (open.some((ref) => !there.has(ref))) throw refuses(fenced);
}

/** Whether a commit is on the remote, or is the operator's own: then nothing is lost when the base moves. */
async function isKnown(ground: TaskGit, commit: string, places: readonly (string | null)[]): Promise<boolean> {
  for (const place of places) {
    if (place !== null && (await ground.git(['merge-base', '--is-ancestor', commit, place])).code === 0) return true;
  }
  return false;
}

function complaintAbout(name: string, what: 'unreachable' | 'refuses'): (answer: Captured) => OperatorError {
  const verb = what === 'refuses' ? 'refuses what this worker pushes' : 'cannot be reached';
  return (answer) =>
    new OperatorError(`remote-${what}`, `the remote ${name} ${verb}: ${oneLine(complaintIn(answer))}`, {
      hint: 'The work is kept. Mend it, then continue with: ralph runs resume',
      exitCode: 4,
    });
}

/** A hook of the remote says more than git. */
function complaintIn(answer: Captured): string {
  const lines = answer.stderr.split('\n');
  const rejected = lines.find((line) => line.includes('[remote rejected]'));
  const said = lines.filter((line) => line.startsWith('remote: ')).map((line) => line.slice('remote: '.length).trim());
  return [rejected?.trim() ?? firstComplaint(answer), ...said].filter(Boolean).join('; ');
}

function notPushed(branch: string, name: string, ref: string): OperatorError {
  return new OperatorError('base-not-pushed', `${ref} has results that ${name} does not have`, {
    hint: `They are of a run without a store. Push them first: git push ${name} ${ref}:${branch}`,
    exitCode: 2,
  });
}

/** One after the other: two fetches at once would be in each other's way. */
function openTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
