import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { deep } from '../../../test/support/deep.ts';
import { gitEnv } from '../../../test/support/opened-git.ts';
import { expectSound, lostCommits, openStoryStage, PLAN, REVIEW, type StoryStage } from '../../../test/support/story-ground-stage.ts';
import type { SettledStoryWorkspace, SettleStoriesRequest } from '../../engine/ports/story-workspace.ts';
import { type Git, openGitCommand } from '../git/git-command.ts';

interface Death {
  /** After this many git commands that change something; the others change nothing. */
  readonly changes: number;
  /** Right after the last of them, or before the next: files may be written in between. */
  readonly when: 'right after' | 'right before the next';
}

const WRITING = ['update-ref', 'symbolic-ref', 'read-tree', 'reset', 'add', 'commit', 'update-index', 'rebase'];

/** In the repository or the working copy, not only in an index of Ralph's. Asking for a name comes right before hooks run. */
function changesAnything(args: readonly string[], own: Readonly<Record<string, string>> = {}): boolean {
  if (args.includes('var') || args.includes('-u')) return true;
  return !('GIT_INDEX_FILE' in own) && args.some((word) => WRITING.includes(word));
}

/** Its callers wait for ever, so nothing is cleaned up, as after a kill. */
function mortal(git: Git, { changes, when }: Death): { readonly git: Git; readonly dead: Promise<'dead'> } {
  let count = 0;
  let die: (how: 'dead') => void = () => undefined;
  const dead = new Promise<'dead'>((resolve) => {
    die = resolve;
  });
  const forEver = () => {
    die('dead');
    return new Promise<never>(() => undefined);
  };
  return {
    dead,
    async git(args, own) {
      if (!changesAnything(args, own)) return await git(args, own);
      count += 1;
      if (count > changes) return await forEver();
      const answer = await git(args, own);
      return count === changes && when === 'right after' ? await forEver() : answer;
    },
  };
}

interface Scene {
  readonly agent: (stage: StoryStage) => Promise<unknown>;
  readonly wish: Partial<SettleStoriesRequest>;
}

const BY_AGENTS = ['on the branch', 'elsewhere', 'fix'];
const plan = '{"stories":"as the loop has it"}\n';

const SCENES: Readonly<Record<string, Scene>> = {
  'after a branch was rewound and left': {
    wish: { plan },
    async agent(stage) {
      await stage.commits('on the branch');
      stage.repo.git('checkout', '-q', '--detach', 'HEAD~2');
      await stage.commits('elsewhere', { 'src/a.ts': 'x\n', 'ralph/prd.md': 'less\n', '.gitignore': '' });
      await stage.repo.write('left.txt', 'left\n');
    },
  },
  'after a review that changed code, in a project whose hook refuses': {
    wish: { plan, revert: REVIEW },
    async agent(stage) {
      await stage.hook('pre-commit', 'echo no; exit 1');
      stage.repo.git('checkout', '-q', '-b', 'elsewhere');
      await stage.commits('fix', { 'src/a.ts': 'fixed\n', 'ralph/progress.txt': 'reviewed\n' });
      await stage.repo.write('src/b.ts', 'not committed\n');
      await stage.repo.write('ralph/notes.txt', 'left\n');
      await rm(stage.at(PLAN));
      await mkdir(stage.at(PLAN));
      await writeFile(stage.at(`${PLAN}/x`), 'x\n');
    },
  },
};

/** What does not depend on the time of a commit. */
function outcome(stage: StoryStage, { head, commit, rewound, ...done }: SettledStoryWorkspace): unknown {
  const subjects = stage.repo.git('log', '--format=%s', head).split('\n');
  return {
    ...done,
    subjects,
    isMade: commit !== null && stage.repo.git('merge-base', commit, head) === commit,
    rewound: rewound?.replace(/[0-9a-f]{12}/, 'W'),
  };
}

async function settledAfter({ agent, wish: changes }: Scene, death: Death | null): Promise<{ readonly how: 'dead' | 'finished'; readonly outcome: unknown }> {
  await using stage = await openStoryStage();
  await agent(stage);
  const request = { ...stage.wish, ...changes };
  const { git, dead } = mortal(openGitCommand(stage.repo.path, gitEnv), death ?? { changes: Number.POSITIVE_INFINITY, when: 'right after' });
  const ground = stage.again({ git });
  const how = await Promise.race([dead, ground.settle(request).then(() => 'finished' as const)]);
  const done = await stage.ground.settle(request);
  await expectSound(stage, done);
  expect(lostCommits(stage).filter((subject) => BY_AGENTS.includes(subject))).toEqual([]);
  expect(await readFile(stage.at(PLAN), 'utf8')).toBe(plan);
  expect((await readdir(stage.at('.git'))).filter((name) => /\.(?:tmp|lock)$/.test(name))).toEqual([]);
  return { how, outcome: outcome(stage, done) };
}

/** Dies there in each scene; after the last change it does not die. */
async function diesAfter(scene: Scene, deaths: readonly Death[]): Promise<readonly string[]> {
  const { outcome: whole } = await settledAfter(scene, null);
  const hows: string[] = [];
  for (const death of deaths) {
    if (hows.includes('finished')) break;
    const { how, outcome: found } = await settledAfter(scene, death);
    expect({ ...death, found }).toEqual({ ...death, found: whole });
    hows.push(how);
  }
  expect(hows.at(-1)).toBe('finished');
  return hows;
}

const MORE_THAN_ALL = 60;
const sometimes: readonly Death[] = Array.from({ length: MORE_THAN_ALL / 3 }, (_, at) => ({
  changes: 3 * at,
  when: at % 2 === 0 ? 'right after' : 'right before the next',
}));
const always = (when: Death['when']): readonly Death[] => Array.from({ length: MORE_THAN_ALL }, (_, changes) => ({ changes, when }));

describe('a loop that dies during a settlement settles again, with the same result', () => {
  it.each(Object.entries(SCENES))('%s', { timeout: 600_000 }, async (_, scene) => {
    expect((await diesAfter(scene, sometimes)).length).toBeGreaterThan(3);
  });
});

deep('every third change is followed by one kind of death; both kinds at each cost six times as much', () => {
  it.each(Object.entries(SCENES))('%s', { timeout: 600_000 }, async (_, scene) => {
    for (const when of ['right after', 'right before the next'] as const) await diesAfter(scene, always(when));
  });
});
