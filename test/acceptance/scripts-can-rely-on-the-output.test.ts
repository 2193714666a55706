import { readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGitPlace, openPlace } from '../support/place.ts';
import { until } from '../support/until.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const VERSION = `${JSON.parse(read('package.json')).version}\n`;
const HELP = read('dist/cli/help.txt');

/** Loaded only into the loop: an unhandled rejection while the agent is running. */
const BUG_WHEN_BUSY = `
import { existsSync } from 'node:fs';
const fail = async () => {
  throw new Error('no such state');
};
const look = () => existsSync(process.env.BUSY) && (clearInterval(looking), fail());
const looking = process.argv[1]?.endsWith('main.js') ? setInterval(look, 20) : undefined;
`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.concurrent('on standard output', () => {
  it.each([
    ['--version', VERSION],
    ['-v', VERSION],
    ['--version --json', VERSION],
    ['--help', HELP],
    ['-h', HELP],
    ['help', HELP],
    ['--help --json', HELP],
  ])('ralph %s prints only what was asked for', async (line, expected) => {
    await using place = await openPlace();
    const before = place.everything();
    const { code, stdout, stderr } = await place.ralph(line.split(' '));

    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expected, stderr: '' });
    expect(place.everything()).toEqual(before);
  });

  it('ralph --help is the short one, and --all describes every command', async () => {
    await using place = await openPlace();
    expect(HELP).toContain('\nStart:\n  run ');
    for (const line of ['--help --all', 'help --all']) {
      const { code, stdout } = await place.ralph(line.split(' '));
      expect({ line, code }).toEqual({ line, code: 0 });
      expect(stdout).toMatch(/\n {2}torture \[options\] +Test Ralph/);
    }
  });

  it('ralph run has a short help that begins with examples, and a long one with every option', async () => {
    await using place = await openPlace();
    for (const args of [
      ['run', '--help'],
      ['help', 'run'],
    ]) {
      const { code, stdout } = await place.ralph(args);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Usage: ralph run \[options\] \[prompt\]\n\nExamples:\n {2}ralph run "/);
      for (const flag of ['--prompt', '--prompt-file', '--max-iterations', '--check', '--resume', '--json', '--dry-run']) expect(stdout).toContain(flag);
      expect(stdout).not.toContain('--idle-timeout');
      expect(stdout).toContain('more options and how it works: ralph run --help --all\n');
    }
    const { code, stdout } = await place.ralph(['run', '--help', '--all']);
    expect(code).toBe(0);
    for (const flag of ['--prompt', '--idle-timeout', '--max-iterations', '--check']) expect(stdout).toContain(flag);
  });

  it('--json prints one line of JSON, also for a failed run', async () => {
    await using place = await openGitPlace();
    const args = ['run', '-p', 'a', '--agent', place.agent, '--json'];
    const [done, spent] = [await place.ralph([...args, '--guardrail', 'true']), await place.ralph([...args, '--guardrail', 'false', '-m', '2'])];

    expect([done.code, spent.code]).toEqual([0, 1]);
    for (const { stdout } of [done, spent]) expect(stdout).toMatch(/^\{.*\}\n$/);
    expect(done.result).toMatchObject({ stop_reason: 'completed', done: true, exit_code: 0, unproven: false, zero_work: true, iterations: 1 });
    expect(spent.result).toMatchObject({ stop_reason: 'max_iterations', done: false, exit_code: 1, iterations: 2 });
  });

  it.each([[['--json']], [[]]])('a bug of ours is told as one with %j, exit 70, and leaves nothing running', async (json) => {
    await using place = await openGitPlace();
    const busy = join(place.beside, 'busy');
    const agent = await place.write('agent.sh', `sleep 600 & echo $! >${busy}.new; mv ${busy}.new ${busy}; wait\n`);
    const bug = join(place.beside, 'bug.mjs');
    await writeFile(bug, BUG_WHEN_BUSY);
    const env = { NODE_OPTIONS: `--import ${bug}`, BUSY: busy };
    const run = await place.ralph(['run', '-p', 'a', '--agent', `sh ${agent}`, ...json], { env });
    const pid = Number(readFileSync(busy, 'utf8'));
    await until('its agent is gone', () => !isAlive(pid));

    expect(run.code).toBe(70);
    expect(run.stderr).toMatch(/^error: this is a bug in ralph, .*`ralph runs resume`\.\nError: no such state\n {4}at /m);
    const told = { stop_reason: 'fatal', message: 'no such state', exit_code: 70, done: false, run_folder: expect.stringContaining(place.path) };
    expect(run.result).toEqual(json.length > 0 ? told : null);
  });

  it('nothing is printed without --json', async () => {
    await using place = await openPlace();
    const { code, stdout, stderr } = await place.ralph(['run', '-p', 'a', '--agent', place.agent]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('=== Ralph iteration 1/10 ===');
  });

  it('--quiet prints only the result, on standard error', async () => {
    await using place = await openPlace();
    const { code, stdout, stderr } = await place.ralph(['run', '-p', 'a', '--agent', place.agent, '--guardrail', 'true', '-q']);

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).not.toContain('iteration 1/10');
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
  });

  it('status shows the newest run as text and as one line of JSON', async () => {
    await using place = await openGitPlace();
    const run = await place.ralph(['run', '-p', 'a', '--agent', place.agent, '--guardrail', 'true', '--json']);
    const [words, json] = [await place.ralph(['status']), await place.ralph(['status', '--json'])];

    expect(words.stdout).toMatch(new RegExp(`^Run ${run.result?.run_id}: completed: `));
    expect(json.stdout).toMatch(/^\{.*\}\n$/);
    expect(json.result).toEqual({ ...run.result, duration_ms: expect.any(Number) });
  });
});

describe.concurrent('a dry run', () => {
  it('prints the command and the prompt, runs nothing and writes nothing', async () => {
    await using place = await openGitPlace();
    await place.write('PROMPT.md', 'Do the\nwork.');
    const before = place.everything();
    const { code, stdout, stderr } = await place.ralph(['run', '-f', 'PROMPT.md', '--agent', "sh -c 'touch ran'", '--guardrail', 'touch ran', '--dry-run']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`Command: sh -c 'touch ran'\nDirectory: ${place.path}\nPrompt (on standard input):\nDo the\nwork.\n`);
    expect(place.everything()).toEqual(before);
  });

  it('with --json is one line of JSON', async () => {
    await using place = await openPlace();
    const { stdout } = await place.ralph(['run', '-p', 'a\nb', '--agent', 'sh -c true', '--dry-run', '--json']);

    expect(stdout).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(stdout)).toEqual({ command: ['sh', '-c', 'true'], directory: place.path, prompt: 'a\nb' });
  });

  it('shows the command line of a known agent, and refuses what a run would refuse', async () => {
    await using place = await openGitPlace();
    const bin = join(place.beside, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'claude'), '#!/bin/sh\ntouch ran\n');
    await chmod(join(bin, 'claude'), 0o755);
    const env = { PATH: `${bin}:${process.env['PATH']}`, IS_SANDBOX: '1' };
    const shown = await place.ralph(['-p', 'a', '--agent', 'claude', '--model', 'opus', '--dry-run'], { env });
    const refused = await place.ralph(['-p', 'a', '--agent', 'claude', '--require-proof', '--dry-run'], { env });

    expect(shown.stdout).toMatch(/^Command: claude -p .*--model opus/);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(await readdir(place.path)).toEqual(['.git', 'readme.txt']);
  });
});

describe.concurrent('the same run is meant by', () => {
  it.each<[string, string[]]>([
    ['short names', ['run', '-p', 'a', '-m', '2', '-c', 'READY', '--agent', 'echo']],
    ['long names', ['run', '--prompt', 'a', '--maximum-iterations', '2', '--completion-response', 'READY', '--agent', 'echo']],
    ['the names of other loops, with --backend', ['run', '--prompt', 'a', '--max-iterations', '2', '--completion-promise', 'READY', '--backend', 'echo']],
    ['the names of other loops, with --tool', ['-p', 'a', '--max-iterations=2', '--completion-promise=READY', '--tool=echo']],
    ['names without the word run', ['-p', 'a', '-m2', '-cREADY', '--agent=echo']],
  ])('%s', async (_name, args) => {
    await using place = await openPlace();
    const { code, result } = await place.ralph([...args, '--guardrail', 'false', '--json']);
    const { settings } = JSON.parse(readFileSync(join(`${result?.run_folder}`, 'journal.jsonl'), 'utf8').split('\n')[0] ?? '');

    expect(code).toBe(1);
    expect(settings).toMatchObject({ prompt: { text: 'a' }, maximumIterations: 2, agent: { command: 'echo' } });
    expect(settings.claims.map(({ word }: { word: string }) => word)).toEqual(['BLOCKED', 'DECIDE', 'READY', 'READY']);
  });
});

describe.concurrent('--resume', () => {
  it('refuses a finished run, by name or as the newest, and does not change its journal', async () => {
    await using place = await openGitPlace();
    const args = ['run', '-p', 'a', '--agent', place.agent, '--guardrail', 'true', '--json'];
    const [first, second] = [await place.ralph(args), await place.ralph(args)];
    const journals = () => [first, second].map(({ result }) => readFileSync(join(`${result?.run_folder}`, 'journal.jsonl'), 'utf8'));
    const before = journals();
    const done = await place.ralph(['run', '--resume', `${first.result?.run_id}`]);
    const newest = await place.ralph(['run', '--resume', '--json']);

    expect(done).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: run \S+ is done \(completed\); there is nothing to resume\nhint: [^\n]+\n$/),
    });
    expect(newest).toMatchObject({ code: 2, result: { stop_reason: 'fatal', done: false, exit_code: 2 } });
    expect(newest.stderr).toContain(`run ${second.result?.run_id} is done`);
    expect(journals()).toEqual(before);
  });
});
