import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentFactory, cleanupProgress, cleanupWorktree, type LoopConfig, type LoopEvent, OperatorError, runLoop } from '../../src/index.ts';
import { CLI } from '../support/ralph.ts';
import { openRepo, type Repo } from '../support/repo.ts';
import { until } from '../support/until.ts';

let repo: Repo;
beforeEach(async () => {
  repo = await openRepo();
  repo.git('config', 'user.name', 't');
  repo.git('config', 'user.email', 't@example.com');
});
afterEach(() => repo[Symbol.asyncDispose]());

const CHECK = 'grep -qs done work.txt';

const start = (agentFactory: AgentFactory, more: LoopConfig = {}) =>
  runLoop({ task: 'Do the work.', checks: [CHECK], workspaceRoot: repo.path, agentFactory, ...more });

const works: AgentFactory = async ({ workspaceRoot }) => {
  await writeFile(join(workspaceRoot, 'work.txt'), 'done\n');
  return 'COMPLETE';
};

describe('the events of a loop', () => {
  it('can be iterated, from its start to its result', async () => {
    const loop = start(works);
    const events: LoopEvent[] = [];
    for await (const event of loop) events.push(event);
    expect(events.map(({ type }) => type)).toEqual([
      'run.started',
      'check.started',
      'check.finished',
      'iteration.started',
      'agent',
      'agent.finished',
      'check.started',
      'check.finished',
      'check.started',
      'check.finished',
      'proof.judged',
      'iteration.finished',
      'receipt.written',
      'run.finished',
    ]);
    const result = await loop;
    expect(events[0]).toEqual({ type: 'run.started', runId: result.runId, runFolder: result.runFolder, workspaceRoot: repo.path, isResumed: false });
    expect(events.filter(({ type }) => type === 'check.finished')).toMatchObject([
      { iteration: 0, check: { name: CHECK, passed: false } },
      { iteration: 1, check: { name: CHECK, passed: true } },
      { iteration: 1, check: { name: CHECK, passed: true } },
    ]);
    expect(events.find(({ type }) => type === 'proof.judged')).toEqual({ type: 'proof.judged', iteration: 1, verdict: 'proven', level: 'green', why: '' });
    expect(events.at(-3)).toEqual({ type: 'iteration.finished', iteration: result.iterations[0] });
    expect(events.at(-1)).toEqual({ type: 'run.finished', result });
  });

  it('also reach a listener', async () => {
    const heard: string[] = [];
    await start(works, { onEvent: ({ type }) => heard.push(type) });
    expect(heard[0]).toBe('run.started');
    expect(heard.at(-1)).toBe('run.finished');
  });

  it('and the run continue when the reader stops early', async () => {
    const loop = start(works);
    for await (const event of loop) if (event.type === 'iteration.started') break;
    expect(await loop).toMatchObject({ success: true });
  });

  it('end with the error of a loop that could not start, and there is no unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      const read = async () => {
        for await (const _ of start(works, { maxIterations: 0 }));
      };
      await expect(read()).rejects.toBeInstanceOf(OperatorError);
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('stop for a listener that throws, but the run continues', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    try {
      let calls = 0;
      const onEvent = () => {
        calls += 1;
        throw new Error('my own mistake');
      };
      expect(await start(works, { onEvent })).toMatchObject({ success: true });
      expect(calls).toBe(1);
      await until('the warning is there', () => warnings.length > 0);
      expect(warnings[0]?.message).toContain('my own mistake');
    } finally {
      process.off('warning', note);
    }
  });
});

describe('a worktree of the library', () => {
  it('contains the work on its own branch until it is cleaned up', async () => {
    const result = await start(works, { useWorktree: true });
    expect(result).toMatchObject({ success: true, worktreePath: expect.stringContaining('repo.ralph') as string });
    expect(existsSync(join(result.worktreePath, 'work.txt'))).toBe(true);
    expect(existsSync(join(repo.path, 'work.txt'))).toBe(false);
    expect(repo.git('show', '--format=%H', '--no-patch', `${result.lastCommit}`)).toBe(result.lastCommit);

    expect(await cleanupWorktree(result)).toBe(true);
    expect(existsSync(result.worktreePath)).toBe(false);
    expect(repo.git('branch', '--list', 'ralph/*')).toBe('');
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(await cleanupWorktree(result.runFolder)).toBe(false);
  });

  it('may keep its branch', async () => {
    const result = await start(works, { useWorktree: true });
    expect(await cleanupWorktree(result, { keepBranch: true })).toBe(true);
    const branch = repo.git('branch', '--list', 'ralph/*').trim();
    repo.git('merge', '--quiet', branch);
    expect(existsSync(join(repo.path, 'work.txt'))).toBe(true);
  });

  it('is not removed while its run is active', async () => {
    let refused: unknown = null;
    const agent: AgentFactory = async (call) => {
      const answer = await works(call);
      refused = await cleanupWorktree(runFolder).catch((error: unknown) => error);
      return answer;
    };
    let runFolder = '';
    const onEvent = (event: LoopEvent) => {
      if (event.type === 'run.started') runFolder = event.runFolder;
    };
    expect(await start(agent, { useWorktree: true, onEvent })).toMatchObject({ success: true });
    expect(refused).toMatchObject({ code: 'run-busy' });
  });

  it('does not exist for a loop that works in place', async () => {
    expect(await cleanupWorktree(await start(works))).toBe(false);
  });
});

describe('the progress file', () => {
  it('is cleaned up with the link to it', async () => {
    const result = await start(works);
    const link = join(repo.path, '.ralph', 'progress.md');
    expect(await readlink(link)).toBe(join(result.runFolder, 'progress.md'));
    expect(await cleanupProgress(result)).toBe(true);
    expect(existsSync(link)).toBe(false);
    expect(existsSync(join(result.runFolder, 'progress.md'))).toBe(false);
    expect(await cleanupProgress(result.runFolder)).toBe(false);
  });

  it('is searched only in the folder of a run', async () => {
    await expect(cleanupProgress(repo.path)).rejects.toMatchObject({ code: 'run-unknown' });
  });
});

/** A foreign program: the library must print nothing, and the program must end with its loop. */
const PROGRAM = `
import { runLoop } from ${JSON.stringify(pathToFileURL(join(CLI, '../../index.js')).href)};
const before = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name));
const listening = [];
const result = await runLoop({
  task: 'Do the work.', checks: ['echo noise; echo more noise >&2; test -e work.txt'],
  agentFactory: async ({ workspaceRoot, iteration }) => {
    listening.push(...['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name)));
    if (iteration === 1) throw new Error('not today');
    (await import('node:fs')).writeFileSync(workspaceRoot + '/work.txt', '');
    return 'COMPLETE';
  },
});
console.log(JSON.stringify({ success: result.success, iterations: result.totalIterations, signalsTouched: listening.some((count) => count > before[0]) }));
`;

describe('a program that uses the library', () => {
  it('has its terminal and signals for itself, and ends by itself', async () => {
    const program = join(repo.beside, 'program.mjs');
    await writeFile(program, PROGRAM);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { cwd: repo.path, timeout: 60_000 });
    expect(JSON.parse(stdout)).toEqual({ success: true, iterations: 2, signalsTouched: false });
    expect(stderr).toBe('');
  });
});
