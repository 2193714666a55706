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

/** On a busy machine the loop comes to itself only when its gate is long at work: here when that has made the file. */
function slowLoop(file: string): typeof nobody {
  const untilMs = performance.now() + 10_000;
  const watch = () => {
    while (!existsSync(file) && performance.now() < untilMs) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  };
  return { ...nobody, watch };
}

describe('a gate in the shell', () => {
  it('gives its exit code', async () => {
    expect((await gate('exit 42')).ending).toEqual({ kind: 'exited', code: 42 });
    expect((await gate('true')).ending).toEqual({ kind: 'exited', code: 0 });
  });

  it('keeps the order of what it says on both streams', async () => {
    const { log } = await gate('for i in 1 2 3 4 5; do echo "out $i"; echo "err $i" >&2; done');
    expect(log).toBe([1, 2, 3, 4, 5].map((i) => `out ${i}\nerr ${i}\n`).join(''));
  });

  it.each([
    ['printf \'%s\' "$0|$#|$1"', 'sh|0|'],
    ["echo 'it''s'; # a comment", 'its\n'],
    ['echo a\necho b', 'a\nb\n'],
    ['echo "$(printf "x y")" | tr x z', 'z y\n'],
    ['false || echo recovered', 'recovered\n'],
  ])('reads %j as sh -c would', async (command, output) => {
    expect((await gate(command)).output).toBe(output);
  });

  it('names the line of a syntax error as it was written', async () => {
    const { ending, output } = await gate('echo (');
    expect(ending).not.toEqual({ kind: 'exited', code: 0 });
    expect(output).toMatch(/syntax error/i);
  });

  it('hands back the beginning, in whole characters, and counts all of it', async () => {
    const { output, outputBytes } = await gate("printf '😀😀😀😀'", { keepChars: 3 });
    expect(output).toBe('😀😀😀');
    expect(outputBytes).toBe(16);
  });

  it('is ended at its time limit, with all it started', async () => {
    expect((await gate('sleep 300 & sleep 300', { timeoutMs: 300 })).ending).toMatchObject({ kind: 'stopped', cause: 'deadline' });
  });

  it('has no input to wait for', async () => {
    expect((await gate('cat; echo read')).output).toBe('read\n');
  });

  it.each([
    ['removes its log', 'rm gate.log'],
    ['makes a pipe of its log', 'rm gate.log; mkfifo gate.log'],
    ['makes a link of its log', 'ln -sf /etc/hosts gate.log'],
    ['makes a directory of its log', 'rm gate.log; mkdir gate.log'],
  ])('that %s before the loop has looked up has still said what it said', async (_name, command) => {
    await using folder = await openThrowAwayFolder();
    const line = `echo before; ${command}; touch harmed; echo after; exit 3`;
    const said = await runIn(folder.path, line, {}, { guardian: slowLoop(join(folder.path, 'harmed')) });
    expect(said).toMatchObject({ ending: { kind: 'exited', code: 3 }, output: 'before\nafter\n', outputBytes: 13 });
  });

  it('whose log cannot be written is red, and says why', async () => {
    await using folder = await openThrowAwayFolder();
    await mkdir(join(folder.path, 'gate.log'));
    const { ending, output } = await runIn(folder.path, 'sleep 300');
    expect(ending).toMatchObject({ kind: 'stopped', cause: 'output', detail: expect.stringMatching(/^cannot write .*gate\.log: EISDIR/) });
    expect(output).toBe('');
  });
});

describe('the words of an SCM task', () => {
  const given = { GIT_DIR: '/elsewhere/.git', GIT_INDEX_FILE: '/elsewhere/index', GIT_WORK_TREE: '/elsewhere', GIT_PREFIX: 'x/', GIT_SSH_COMMAND: 'ssh -4' };
  const namesOf = (output: string) => output.match(/^GIT_\w+(?==)/gm)?.toSorted();

  it.each([
    ['are not led astray by the variables of a git hook', ['env'], ['GIT_EDITOR', 'GIT_SSH_COMMAND', 'GIT_TERMINAL_PROMPT']],
    ['are so unlike a line in the shell, which gets what the loop was given', 'env', Object.keys(given).toSorted()],
  ])('%s', async (_name, command, names) => {
    await using folder = await openThrowAwayFolder();
    expect(namesOf((await runIn(folder.path, command, {}, { env: given })).output)).toEqual(names);
  });
});
