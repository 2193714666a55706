import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nobody } from '../../test/support/process-request.ts';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { openShell } from './command-shell.ts';

interface Limits {
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  readonly keepChars?: number;
}

interface Around {
  readonly env?: Readonly<Record<string, string>>;
  readonly guardian?: typeof nobody;
}

async function gate(command: string, limits: Limits = {}) {
  await using folder = await openThrowAwayFolder();
  const result = await runIn(folder.path, command, limits);
  return { ...result, log: await readFile(join(folder.path, 'gate.log'), 'utf8') };
}

async function runIn(folder: string, command: string | readonly string[], limits: Limits = {}, { env = {}, guardian = nobody }: Around = {}) {
  const shell = openShell({ env: { PATH: process.env['PATH'] ?? '', ...env }, guardian });
  const request = { command, cwd: folder, marker: `test-gate/${folder}`, logFile: join(folder, 'gate.log'), timeoutMs: 20_000, maxOutputBytes: 0 };
  return await shell.run({ ...request, keepChars: 1_000, keep: 'beginning', digest: false, ...limits }, new AbortController().signal);
}

/** Simulates a busy machine: the loop continues only after the gate has created the file. */
function slowLoop(file: string): typeof nobody {
  const untilMs = performance.now() + 10_000;
  const watch = () => {
    while (!existsSync(file) && performance.now() < untilMs) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  };
  return { ...nobody, watch };
}

describe('a gate in the shell', () => {
  it('returns its exit code', async () => {
    expect((await gate('exit 42')).ending).toEqual({ kind: 'exited', code: 42 });
    expect((await gate('true')).ending).toEqual({ kind: 'exited', code: 0 });
  });

  it('has a name for its containers: the same for each run and folder, another for another, and the operator’s if there is one', async () => {
    await using one = await openThrowAwayFolder();
    await using other = await openThrowAwayFolder();
    const nameIn = async (folder: string, env = {}) => (await runIn(folder, 'printf %s "$COMPOSE_PROJECT_NAME"', {}, { env })).output;
    const names = [await nameIn(one.path), await nameIn(one.path), await nameIn(other.path)];
    expect(names[0]).toMatch(/^ralph-[a-z0-9]{12}$/);
    expect([names[1] === names[0], names[2] === names[0]]).toEqual([true, false]);
    expect(await nameIn(one.path, { COMPOSE_PROJECT_NAME: 'mine' })).toBe('mine');
  });

  it('keeps the order of its output on both streams', async () => {
    const { log } = await gate('for i in 1 2 3 4 5; do echo "out $i"; echo "err $i" >&2; done');
    expect(log).toBe([1, 2, 3, 4, 5].map((i) => `out ${i}\nerr ${i}\n`).join(''));
  });

  it.each([
    ['printf \'%s\' "$0|$#|$1"', 'sh|0|'],
    ["echo 'it''s'; # a comment", 'its\n'],
    ['echo a\necho b', 'a\nb\n'],
    ['echo "$(printf "x y")" | tr x z', 'z y\n'],
    ['false || echo recovered', 'recovered\n'],
  ])('runs %j as sh -c would', async (command, output) => {
    expect((await gate(command)).output).toBe(output);
  });

  it('reports a syntax error in its output', async () => {
    const { ending, output } = await gate('echo (');
    expect(ending).not.toEqual({ kind: 'exited', code: 0 });
    expect(output).toMatch(/syntax error/i);
  });

  it('returns the beginning of its output in whole characters, and the size of all of it', async () => {
    const { output, outputEnd, outputBytes } = await gate("printf '😀😀😀😀!'", { keepChars: 3 });
    expect(output).toBe('😀😀😀');
    expect(outputEnd).toBe('😀😀😀😀!');
    expect(outputBytes).toBe(17);
    expect(await gate('echo all')).not.toHaveProperty('outputEnd');
  });

  it('is stopped at its time limit, together with the processes it started', async () => {
    expect((await gate('sleep 300 & sleep 300', { timeoutMs: 300 })).ending).toMatchObject({ kind: 'stopped', cause: 'deadline' });
  });

  it('has empty standard input', async () => {
    expect((await gate('cat; echo read')).output).toBe('read\n');
  });

  it.each([
    ['removes its log', 'rm gate.log'],
    ['replaces its log with a pipe', 'rm gate.log; mkfifo gate.log'],
    ['replaces its log with a link', 'ln -sf /etc/hosts gate.log'],
    ['replaces its log with a directory', 'rm gate.log; mkdir gate.log'],
  ])('that %s before the loop reads it keeps its output', async (_name, command) => {
    await using folder = await openThrowAwayFolder();
    const line = `echo before; ${command}; touch harmed; echo after; exit 3`;
    const said = await runIn(folder.path, line, {}, { guardian: slowLoop(join(folder.path, 'harmed')) });
    expect(said).toMatchObject({ ending: { kind: 'exited', code: 3 }, output: 'before\nafter\n', outputBytes: 13 });
  });

  it('is red when its log cannot be written, and says why', async () => {
    await using folder = await openThrowAwayFolder();
    await mkdir(join(folder.path, 'gate.log'));
    const { ending, output } = await runIn(folder.path, 'sleep 300');
    expect(ending).toMatchObject({ kind: 'stopped', cause: 'output', detail: expect.stringMatching(/^cannot write .*gate\.log: EISDIR/) });
    expect(output).toBe('');
  });
});

describe('an SCM command', () => {
  const given = { GIT_DIR: '/elsewhere/.git', GIT_INDEX_FILE: '/elsewhere/index', GIT_WORK_TREE: '/elsewhere', GIT_PREFIX: 'x/', GIT_SSH_COMMAND: 'ssh -4' };
  const namesOf = (output: string) => output.match(/^GIT_\w+(?==)/gm)?.toSorted();

  it.each([
    ['does not get the variables that a git hook sets', ['env'], ['GIT_EDITOR', 'GIT_SSH_COMMAND', 'GIT_TERMINAL_PROMPT']],
    ['differs from a gate, which gets all variables of the loop', 'env', Object.keys(given).toSorted()],
  ])('%s', async (_name, command, names) => {
    await using folder = await openThrowAwayFolder();
    expect(namesOf((await runIn(folder.path, command, {}, { env: given })).output)).toEqual(names);
  });
});
