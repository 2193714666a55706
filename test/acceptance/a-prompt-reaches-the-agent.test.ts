import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';

const END = ['--guardrail', 'true', '--json'];

const promptOf = (place: Place, call = 1) => readFile(join(place.beside, `prompt.${call}`));

/** Five megabytes in which a lost, duplicated or reordered block is visible. */
const LONG = Array.from({ length: 400_000 }, (_, index) => `line ${index}`).join('\n');

describe.concurrent('a prompt', () => {
  it.each<[string, string]>([
    ['of five megabytes', LONG],
    ['with NUL, emoji and broken characters', 'a\0b 👩‍👩‍👧 \u0007 \ufeff é e\u0301 \r\n\t end without a line break'],
    ['that begins with a byte order mark', '\ufeffDo the work.\n'],
  ])('%s in a file reaches the agent unchanged', async (_name, text) => {
    await using place = await openPlace();
    await place.write('PROMPT.md', text);
    const run = await place.ralph(['run', '-f', 'PROMPT.md', '--agent', place.agent, ...END]);

    expect(run.code, run.stderr).toBe(0);
    expect((await promptOf(place)).equals(Buffer.from(text))).toBe(true);
  });

  it.each<[string, string]>([
    ['of five megabytes', LONG],
    ['with NUL and emoji', '\ufeffa\0b 👩‍👩‍👧\n'],
  ])('%s on standard input reaches the agent unchanged', async (_name, text) => {
    await using place = await openPlace();
    const run = await place.ralph(['-f', '-', '--agent', place.agent, ...END], { stdin: text });

    expect(run.code, run.stderr).toBe(0);
    expect((await promptOf(place)).equals(Buffer.from(text))).toBe(true);
  });

  it.each<[string, string]>([
    ['that looks like a flag', '--help'],
    ['that is a dash', '-'],
    ['that begins with a dash', '- one\n- two $HOME `id` "quoted" \'quoted\' 🙂'],
    ['of white space alone', ' '],
  ])('%s on the command line reaches the agent unchanged', async (_name, text) => {
    await using place = await openPlace();
    const run = await place.ralph(['run', '-p', text, '--agent', place.agent, ...END]);

    expect(run.code, run.stderr).toBe(0);
    expect((await promptOf(place)).toString()).toBe(text);
  });

  it('may be the argument of ralph run', async () => {
    await using place = await openPlace();
    const run = await place.ralph(['run', 'Make the tests "pass"', '--agent', place.agent, '--check', 'true', '--json']);

    expect(run.code, run.stderr).toBe(0);
    expect(run.result).toMatchObject({ unproven: false });
    expect((await promptOf(place)).toString()).toBe('Make the tests "pass"');
  });
});

describe.concurrent('a prompt file', () => {
  it('is read again for every iteration', async () => {
    await using place = await openPlace();
    const file = await place.write('PROMPT.md', 'first');
    const guardrail = `grep -qx second '${file}' || { printf second > '${file}'; exit 1; }`;
    const run = await place.ralph(['run', '-f', 'PROMPT.md', '--agent', place.agent, '--guardrail', guardrail, '--json']);

    expect(run.code, run.stderr).toBe(0);
    expect(run.result).toMatchObject({ iterations: 2 });
    expect((await promptOf(place, 1)).toString()).toBe('first');
    expect((await promptOf(place, 2)).toString()).toMatch(/^second\n\nGuardrail /);
  });

  it('that is a pipe is read once and given to every iteration', async () => {
    await using place = await openPlace();
    const pipe = join(place.path, 'pipe');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const writer = spawn('sh', ['-c', 'printf "from a pipe" > "$0"', pipe]);
    const guardrail = 'test -e tried || { touch tried; exit 1; }';
    const run = await place.ralph(['run', '-f', 'pipe', '--agent', place.agent, '--guardrail', guardrail, '--json']);
    if (writer.exitCode === null) await once(writer, 'exit');

    expect(run.code, run.stderr).toBe(0);
    expect((await promptOf(place, 1)).toString()).toBe('from a pipe');
    expect((await promptOf(place, 2)).toString()).toMatch(/^from a pipe\n\nGuardrail /);
  });

  it('with any name is found relative to the directory of the command', async () => {
    await using place = await openPlace();
    await place.write('prompts/- ü 🙂.md', 'Do the work.');
    await writeFile(join(place.path, 'elsewhere'), '');
    const run = await place.ralph(['run', '-f', '- ü 🙂.md', '--agent', place.agent, ...END], { cwd: join(place.path, 'prompts') });

    expect(run.code, run.stderr).toBe(0);
    expect((await promptOf(place)).toString()).toBe('Do the work.');
  });
});
