import { describe, expect, it } from 'vitest';
import { runInteractive } from './run-interactive.ts';

const env = { PATH: process.env['PATH'] ?? '' };
const run = (script: string) => runInteractive({ file: 'sh', args: ['-c', script], cwd: '/', env });

describe('an interactive process', () => {
  it('returns its exit code', async () => {
    expect(await run('exit 7')).toEqual({ kind: 'exited', code: 7 });
  });

  it('returns the signal that ended it', async () => {
    expect(await run('kill -TERM $$')).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
  });

  it('stays in our process group, and leaves no signal listener behind', async () => {
    const before = process.listenerCount('SIGINT');
    expect(await run('test "$(ps -o pgid= -p $$ | tr -d " ")" = "$(ps -o pgid= -p $PPID | tr -d " ")"')).toEqual({ kind: 'exited', code: 0 });
    expect(process.listenerCount('SIGINT')).toBe(before);
  });

  it('that cannot be started is reported with a message', async () => {
    expect(await runInteractive({ file: 'no-such-command-here', args: [], cwd: '/', env })).toMatchObject({ kind: 'never-started', reason: 'not-found' });
  });
});
