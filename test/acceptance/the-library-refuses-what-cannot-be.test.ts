import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentFactory, type LoopConfig, runLoop } from '../../src/index.ts';
import { refusal } from '../support/played-agent.ts';
import { openRepo, type Repo } from '../support/repo.ts';

let repo: Repo;
beforeEach(async () => {
  repo = await openRepo();
});
afterEach(() => repo[Symbol.asyncDispose]());

const loop = (config: LoopConfig) =>
  runLoop({ task: 'Do the work.', checks: ['true'], workspaceRoot: repo.path, agentFactory: async () => 'COMPLETE', ...config });

describe('an invalid configuration', () => {
  it.each<[LoopConfig, RegExp]>([
    [{ task: '' }, /^a loop needs a task$/],
    [{ checks: [] }, /needs a check/],
    [{ maxIterations: 0 }, /^maxIterations must be a positive integer, got 0$/],
    [{ maxCost: -1 }, /^maxCost must be a positive number/],
    [{ maxTime: -1 }, /^maxTime must be a duration/],
    [{ checks: ['true', ''] }, /^checks\[1\] must not be empty$/],
    [{ requireTag: 'sometimes' as 'auto' }, /^requireTag must be one of always, auto, never/],
    [{ maxIteration: 3 } as LoopConfig, /^maxIteration is not a setting of runLoop; did you mean "maxIterations"\?$/],
    [{ agentFactory: {} as AgentFactory }, /^agentFactory must be a function, got object$/],
    [{ specFile: 'nowhere.md' }, /^spec file not found: nowhere.md$/],
  ])('%j is refused in one line, before anything is written', async (config, message) => {
    expect((await refusal(loop(config))).message).toMatch(message);
    expect(existsSync(join(repo.path, '.ralph'))).toBe(false);
  });
});
