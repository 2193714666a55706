import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { SettledStoryWorkspace, SettleStoriesRequest, StoryWorkspace } from '../../src/engine/ports/story-workspace.ts';
import { openGitCommand } from '../../src/workspace/git/git-command.ts';
import type { StoryPlace } from '../../src/workspace/stories/git-story-place.ts';
import { openStoryGit } from '../../src/workspace/stories/open-story-workspace.ts';
import { gitEnv } from './opened-git.ts';
import { never, nobody } from './process-request.ts';
import { OPERATOR, openRepo, type Repo } from './repo.ts';

/** A repository with stories in it, at the moment an agent is let in. */
export interface StoryStage extends AsyncDisposable {
  readonly repo: Repo;
  readonly ground: StoryWorkspace & AsyncDisposable;
  readonly marker: string;
  /** What is wished when nothing is forbidden but the operator's own files. */
  readonly wish: SettleStoriesRequest;
  /** Another loop on the same ground. */
  again(changes?: Partial<StoryPlace>): StoryWorkspace & AsyncDisposable;
  at(name: string): string;
  /** Writes files, or removes those that are null, and commits all there is. */
  commits(subject: string, files?: Readonly<Record<string, string | null>>): Promise<string>;
  settle(changes?: Partial<SettleStoriesRequest>): Promise<SettledStoryWorkspace>;
  hook(name: string, script: string): Promise<void>;
}

export const PLAN = 'ralph/tasks.json';
export const KEPT = 'refs/ralph/kept/run-1/1.1';
export const FROZEN = ['ralph/prd.md', 'ralph/prompt.md'];
export const REVIEW = { kind: 'all-but', paths: ['ralph'] } as const;

const FILES = {
  '.gitignore': 'ignored/\n',
  'readme.txt': 'hello\n',
  'src/a.ts': 'a\n',
  'src/b.ts': 'b\n',
  'ralph/prd.md': 'what is wanted\n',
  'ralph/prompt.md': 'how\n',
  'ralph/progress.txt': '',
  [PLAN]: '{"stories":1}\n',
};

/** Where each repository begins, by its files: it is written down again from the same commits. */
const begun = new Map<string, Pick<SettledStoryWorkspace, 'tree'> & { readonly head: string | null }>();

export async function openStoryStage(files: Readonly<Record<string, string>> = FILES): Promise<StoryStage> {
  const before = [1, 2].map((n) => ['commit', '-q', '--allow-empty', '-m', `before ${n}`]);
  const repo = await openRepo(files, [...OPERATOR, ...before]);
  const marker = `stories-${randomUUID()}`;
  const place: StoryPlace = {
    git: openGitCommand(repo.path, gitEnv),
    env: gitEnv,
    topLevel: repo.path,
    plan: PLAN,
    guardian: nobody,
    behind: null,
    marker,
    hookTimeoutMs: 60_000,
    signal: never,
  };
  const again = (changes: Partial<StoryPlace> = {}) => openStoryGit({ ...place, ...changes });
  const ground = again();
  const key = JSON.stringify(files);
  const { head, tree } = begun.get(key) ?? (await ground.look());
  begun.set(key, { head, tree });
  const wish: SettleStoriesRequest = {
    branch: 'main',
    head: head ?? '',
    tree,
    revert: { kind: 'only', paths: FROZEN },
    forget: false,
    plan: null,
    message: 'feat: [US-1] - what was left',
    putBackMessage: 'ralph: [US-1] - put back',
    planMessage: 'ralph: [US-1] - the list',
    keptRef: KEPT,
  };
  return {
    repo,
    ground,
    marker,
    wish,
    again,
    at: (name) => join(repo.path, name),
    async commits(subject, contents = { [`${subject}.txt`]: `${subject}\n` }) {
      for (const [name, content] of Object.entries(contents))
        if (content === null) await rm(join(repo.path, name), { recursive: true });
        else await repo.write(name, content);
      repo.git('add', '-A');
      repo.git('commit', '-q', '--no-verify', '-m', subject);
      return repo.git('rev-parse', 'HEAD');
    },
    settle: async (changes = {}) => await ground.settle({ ...wish, ...changes }),
    hook: async (name, script) => void (await repo.write(`.git/hooks/${name}`, `#!/bin/sh\n${script}\n`, 0o755)),
    async [Symbol.asyncDispose]() {
      await ground[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}

/** Whatever has happened: HEAD is on the branch, which goes on from where it was; all is committed, and nothing is under way. */
export async function expectSound({ repo, ground, wish }: StoryStage, done: Pick<SettledStoryWorkspace, 'head' | 'tree'>): Promise<void> {
  expect(repo.git('symbolic-ref', 'HEAD')).toBe(`refs/heads/${wish.branch}`);
  expect(repo.git('rev-parse', 'HEAD', 'HEAD^{tree}').split('\n')).toEqual([done.head, done.tree]);
  expect(repo.git('merge-base', wish.head, 'HEAD')).toBe(wish.head);
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(repo.git('status')).not.toMatch(/rebas|merg|bisect|cherry|revert/i);
  expect(await ground.look()).toEqual({ head: done.head, branch: wish.branch, tree: done.tree, dirty: [] });
}

/** Those that nothing leads to, by their subjects. */
export function lostCommits({ repo }: StoryStage): readonly string[] {
  const found = repo.git('fsck', '--no-reflogs', '--unreachable', '--no-progress').split('\n');
  return found.filter((line) => line.startsWith('unreachable commit')).map((line) => repo.git('log', '-1', '--format=%s', line.split(' ')[2] ?? ''));
}
