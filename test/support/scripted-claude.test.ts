import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, claudeScript, ends, exit, limited, scriptedClaudeIn, type Turn, turn } from './claude-script.ts';
import { runBinary } from './run-binary.ts';
import { openThrowAwayFolder } from './throw-away-folder.ts';

const text = ['-p', '--output-format', 'text', '--dangerously-skip-permissions'];

async function call(args: readonly string[], script: Turn) {
  await using folder = await openThrowAwayFolder();
  const bin = await scriptedClaudeIn(folder.path);
  const callsFile = join(folder.path, 'calls');
  const env = { PATH: `${bin}${delimiter}${process.env['PATH']}`, CLAUDE_SCRIPT: claudeScript([script]), CLAUDE_CALLS: callsFile };
  const { code, stdout } = await runBinary({ file: 'claude', args, cwd: folder.path, env, stdin: 'What did you do?', withinMs: 30_000 });
  const made = await readFile(join(folder.path, 'made'), 'utf8').catch(() => null);
  return { code, stdout, made, note: JSON.parse(await readFile(callsFile, 'utf8')) };
}

describe('the scripted claude, asked for text', () => {
  it('does its work and prints only its result, once', async () => {
    const { code, stdout, made } = await call(text, turn({ say: 'I look.' }, bash('echo x > made'), ...ends('Add x\n\nIt was missing.')));
    expect({ code, stdout, made }).toEqual({ code: 0, stdout: 'Add x\n\nIt was missing.\n', made: 'x\n' });
  });

  it('prints its last message if there is no result', async () => {
    expect(await call(text, turn({ say: 'I look.' }, { say: 'Add x' }, exit(3)))).toMatchObject({ code: 3, stdout: 'Add x\n' });
    expect(await call(text, turn())).toMatchObject({ code: 0, stdout: '' });
  });

  it.each(['by event', 'by text'] as const)('prints a limit told %s as its text, and exits with 1', async (told) => {
    const { code, stdout } = await call(text, limited(60_000, told));
    expect(stdout).toMatch(/^You've hit your session limit · resets \d+:\d\d[ap]m \(UTC\)\n$/);
    expect(code).toBe(1);
  });

  it('notes how it was called', async () => {
    expect((await call(text, turn())).note).toEqual({ atMs: expect.any(Number), args: text, prompt: 'What did you do?' });
  });
});

describe('the scripted claude, asked for a stream', () => {
  it('prints it', async () => {
    const { stdout } = await call(['-p', '--output-format', 'stream-json', '--verbose'], turn(...ends('Done.')));
    const types = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types).toEqual(['system', 'assistant', 'result']);
  });
});
