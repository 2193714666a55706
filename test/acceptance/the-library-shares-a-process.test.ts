import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentFactory, runLoop } from '../../src/index.ts';
import { refusal } from '../support/played-agent.ts';
import { CLI } from '../support/ralph.ts';
import { openRepo, type Repo } from '../support/repo.ts';

let repo: Repo;
beforeEach(async () => {
  repo = await openRepo();
  repo.git('config', 'user.name', 't');
  repo.git('config', 'user.email', 't@example.com');
});
afterEach(() => repo[Symbol.asyncDispose]());

const asked = { task: 'Do the work.', checks: ['grep -qs done work.txt'] };
const works: AgentFactory = async ({ workspaceRoot }) => {
  await writeFile(join(workspaceRoot, 'work.txt'), 'done\n');
  return 'COMPLETE';
};

/** Resolves when that many have arrived. */
function meetingOf(count: number): () => Promise<void> {
  let missing = count;
  let open = () => {};
  const met = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    missing -= 1;
    if (missing === 0) open();
    return met;
  };
}

describe('several loops of one process', () => {
  it('work at the same time, each in its own worktree', async () => {
    const meet = meetingOf(3);
    const agentFactory: AgentFactory = async (call) => {
      await meet();
      return works(call);
    };
    const results = await Promise.all([1, 2, 3].map(() => runLoop({ ...asked, workspaceRoot: repo.path, useWorktree: true, agentFactory })));
    expect(results.map(({ success }) => success)).toEqual([true, true, true]);
    expect(new Set(results.map(({ worktreePath }) => worktreePath)).size).toBe(3);
    expect(repo.git('branch', '--list', 'ralph/*').split('\n')).toHaveLength(3);
  });

  it('never work on the same files', async () => {
    let second: unknown = null;
    const agentFactory: AgentFactory = async (call) => {
      second = await refusal(runLoop({ ...asked, workspaceRoot: repo.path, agentFactory: works }));
      return works(call);
    };
    expect(await runLoop({ ...asked, workspaceRoot: repo.path, agentFactory })).toMatchObject({ success: true });
    expect(second).toMatchObject({ code: 'workspace-busy', exitCode: 4 });
  });
});

/** Dies in the middle of its second iteration. */
const DYING = `
import { runLoop } from ${JSON.stringify(pathToFileURL(join(CLI, '../../index.js')).href)};
await runLoop({
  task: 'Do the work.', checks: ['grep -qs done work.txt'],
  agentFactory: ({ iteration }) => {
    if (iteration === 2) process.kill(process.pid, 'SIGKILL');
    return { text: 'Still thinking.', cost: 0.5 };
  },
});
`;

describe('a process that dies', () => {
  it('loses no work: the run continues where it was', async () => {
    const program = join(repo.beside, 'dying.mjs');
    await writeFile(program, DYING);
    const [code, signal] = await once(spawn(process.execPath, [program], { cwd: repo.path, stdio: 'inherit' }), 'exit');
    expect([code, signal]).toEqual([null, 'SIGKILL']);
    const [run = ''] = readdirSync(join(repo.path, '.git', 'ralph', 'runs')).filter((name) => !name.includes('.lock'));
    const iterations: number[] = [];
    const agentFactory: AgentFactory = (call) => {
      iterations.push(call.iteration);
      return works(call);
    };
    const result = await runLoop({ resume: run, workspaceRoot: repo.path, agentFactory });
    // The killed attempt and the last one did not say what they cost: each is estimated as expensive as the first.
    expect(result).toMatchObject({ success: true, runId: run, totalIterations: 2, totalCost: 1.5 });
    expect(iterations).toEqual([2]);
  });
});
