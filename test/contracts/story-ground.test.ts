import { existsSync, readFileSync } from 'node:fs';
import { describe } from 'vitest';
import { memoryRepo } from '../support/memory-repo.ts';
import { memoryStoryWorkspace } from '../support/memory-story-workspace.ts';
import { openStoryStage } from '../support/story-ground-stage.ts';
import { keepsTheGroundContract } from './story-ground.ts';

describe('the ground of stories in a repository of git', () => {
  keepsTheGroundContract(async () => {
    const stage = await openStoryStage();
    return {
      ...{ ground: stage.ground, wish: stage.wish },
      read: (path) => (existsSync(stage.at(path)) ? readFileSync(stage.at(path), 'utf8') : null),
      write: async (path, text) => void (await stage.repo.write(path, text)),
      subject: () => stage.repo.git('log', '-1', '--format=%s'),
      [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
    };
  });
});

describe('the ground of stories in memory', () => {
  keepsTheGroundContract(async () => {
    const repo = memoryRepo({ 'src/a.ts': 'a\n', 'ralph/prd.md': 'what is wanted\n', 'ralph/tasks.json': '{"stories":1}\n' });
    const ground = memoryStoryWorkspace(repo, 'ralph/tasks.json', 'main');
    const { head, tree } = await ground.look();
    const words = { message: 'feat: [US-1] - what was left', putBackMessage: 'ralph: [US-1] - put back', planMessage: 'ralph: [US-1] - the list' };
    return {
      ground,
      wish: {
        ...{ branch: 'main', head: head ?? '', tree, forget: false, plan: null, ...words },
        ...{ revert: { kind: 'only', paths: ['ralph/prd.md', 'ralph/prompt.md'] }, keptRef: 'refs/ralph/kept/run-1/1.1' },
      },
      read: (path) => repo.files.get(path) ?? null,
      write: async (path, text) => void repo.files.set(path, text),
      subject: () => repo.log.at(-1)?.message ?? '',
      [Symbol.asyncDispose]: async () => undefined,
    };
  });
});
