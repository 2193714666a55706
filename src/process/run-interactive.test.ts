import { describe, expect, it } from 'vitest';
import { runInteractive } from './run-interactive.ts';

const env = { PATH: process.env['PATH'] ?? '' };
const run = (script: string) => runInteractive({ file: 'sh', args: ['-c', script], cwd: '/', env });

describe('a process that has our terminal', () => {
  it('ends with its own code', async () => {
    expect(await run('exit 7')).toEqual({ kind: 'exited', code: 7 });
  });

  it('ends with the signal that ended it', async () => {
    expect(await run('kill -TERM $$')).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
  });

  it('stays in our group, and leaves none of our ears behind', async () => {
    const before = process.listenerCount('SIGINT');
    expect(await run('test "$(ps -o pgid= -p $$ | tr -d " ")" = "$(ps -o pgid= -p $PPID | tr -d " ")"')).toEqual({ kind: 'exited', code: 0 });
    expect(process.listenerCount('SIGINT')).toBe(before);
  });

  it('that cannot be started is told in words', async () => {
    expect(await runInteractive({ file: 'no-such-command-here', args: [], cwd: '/', env })).toMatchObject({ kind: 'never-started', reason: 'not-found' });
  });
});
