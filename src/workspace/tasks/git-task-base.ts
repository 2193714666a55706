import type { TaskGit } from './git-task-place.ts';
import { baseRef, commitsOf, headRef } from './git-task-refs.ts';
import { GitTrouble, must } from './locks.ts';

/** The current base, and the operator's branch. */
export interface Bases {
  readonly base: string;
  readonly operator: string;
  /** Whether the base contains the operator's branch. */
  readonly hasAll: boolean;
}

export interface TaskBase {
  /** Creates the base from the operator's branch if there is none, and moves it along with the operator's commits on top of it. */
  look(): Promise<Bases>;
}

/** Somebody else may move it at the same time, but not every time. */
const MOST_LOOKS = 5;

export function openTaskBase(ground: TaskGit): TaskBase {
  const compare = remembered((pair: string) => compareCommits(ground, pair));
  const [baseName, operatorName] = [baseRef(ground.base), headRef(ground.base)];
  const moveBase = async (from: string | null, to: string) => await ground.git(['update-ref', baseName, to, from ?? '0'.repeat(to.length)]);
  return {
    async look() {
      for (let looks = 1; ; looks += 1) {
        const [base = null, operator = null] = await commitsOf(ground, [baseName, operatorName]);
        if (operator === null) throw new GitTrouble(`the branch ${ground.base} does not exist, or has no commit yet`);
        const wanted = await whereItBelongs(base, operator, compare);
        if (base === wanted.commit) return { base, operator, hasAll: wanted.hasAll };
        const moved = await moveBase(base, wanted.commit);
        if (looks === MOST_LOOKS) must(moved, `${baseName} cannot be moved`);
      }
    },
  };
}

type Comparison = 'behind' | 'ahead' | 'apart' | 'left';

interface Wanted {
  readonly commit: string;
  readonly hasAll: boolean;
}

async function whereItBelongs(base: string | null, operator: string, compare: (pair: string) => Promise<Comparison>): Promise<Wanted> {
  if (base === null || base === operator) return { commit: operator, hasAll: true };
  const found = await compare(`${base} ${operator}`);
  if (found === 'behind') return { commit: base, hasAll: true };
  return found === 'apart' ? { commit: base, hasAll: false } : { commit: operator, hasAll: true };
}

/** Where the operator's branch is relative to the base. `left`: it was on the base once and has moved elsewhere, as after an amended commit. */
async function compareCommits({ git, base: branch }: TaskGit, pair: string): Promise<Comparison> {
  const [base = '', operator = ''] = pair.split(' ');
  const counted = must(await git(['rev-list', '--left-right', '--count', `${base}...${operator}`, '--']), 'the base cannot be compared');
  const [ours, theirs] = counted.split('\t');
  if (theirs === '0') return 'behind';
  if (ours === '0') return 'ahead';
  const { code, stdout } = await git(['merge-base', '--fork-point', headRef(branch), base]);
  return code === 0 && stdout.trim() === base ? 'left' : 'apart';
}

/** Commits never change, so the answer does not either. Only the last answer is kept. */
function remembered<T>(ask: (question: string) => Promise<T>): (question: string) => Promise<T> {
  let last: { question: string; answer: T } | null = null;
  return async (question) => {
    if (last?.question === question) return last.answer;
    const answer = await ask(question);
    last = { question, answer };
    return answer;
  };
}
