import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { CTRL_C, openPty } from '../../support/pty.ts';
import { CLI, cleanEnv } from '../../support/ralph.ts';
import { terminalIsMissing } from '../../support/terminal.ts';
import { openThrowAwayFolder } from '../../support/throw-away-folder.ts';
import { until } from '../../support/until.ts';

describe.skipIf(terminalIsMissing())('ralph bus on a terminal', () => {
  it('does not wait for typed input', async () => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, 'MESSAGE-BUS.md'), '');
    await using pty = openPty(['bus', 'post', '--type', 'INFO'], { cwd: folder.path, beside: folder.path });
    expect(await pty.exitCode()).toBe(2);
    expect(pty.screen()).toBe('error: the message has no text\nhint: Give it with --body, or on standard input.\n');
    expect(await readFile(join(folder.path, 'MESSAGE-BUS.md'), 'utf8')).toBe('');
  });

  it('ends a tail with Ctrl-C', async () => {
    await using folder = await openThrowAwayFolder();
    const entry = '---\nmsg_id: MSG-1\nts: 2026-01-01T00:00:00Z\ntype: FACT\nproject_id: demo\n---\nhello\n';
    await writeFile(join(folder.path, 'MESSAGE-BUS.md'), entry);
    await using pty = openPty(['bus', 'tail'], { cwd: folder.path, beside: folder.path });
    await until('the message is shown', () => pty.screen().includes('    hello\n'));
    pty.type(CTRL_C);
    expect(await pty.exitCode()).toBe(130);
  });
});

describe('ralph bus in a pipe', () => {
  it('passes bytes that are not text', async () => {
    await using folder = await openThrowAwayFolder();
    const bytes = Buffer.from([0x00, 0xff, 0x0a, 0x2d, 0x2d, 0x2d, 0x0a]);
    const run = async (args: readonly string[], input: Buffer) => {
      const child = spawn(process.execPath, [CLI, 'bus', ...args, '--bus', 'b.md'], { cwd: folder.path, env: cleanEnv(folder.path, {}) });
      child.stdin.end(input);
      const [stdout] = await Promise.all([buffer(child.stdout), once(child, 'close')]);
      return stdout.toString();
    };
    await run(['post'], bytes);
    expect(JSON.parse(await run(['read', '--json'], Buffer.alloc(0)))).toMatchObject({ body_base64: bytes.toString('base64') });
  });
});
