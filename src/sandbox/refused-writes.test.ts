import { describe, expect, it } from 'vitest';
import { refusedWriteIn } from './sandbox-refusals.ts';

const finished = (output: string) => ({ type: 'tool.finished' as const, id: '1', ok: false, output });

describe('the output of an agent', () => {
  it.each(["ok\ntouch: cannot touch '/etc/motd': Read-only file system\nmore", "Error: EROFS: read-only file system, open '/etc/motd'"])(
    'shows a refused write: %j',
    (output) => {
      expect(refusedWriteIn(finished(output), false)).toMatchObject({ what: 'write', target: expect.stringContaining('/etc/motd') });
    },
  );

  it('shows no refused write for other errors', () => {
    expect(refusedWriteIn(finished('Permission denied'), false)).toBeNull();
    expect(refusedWriteIn({ type: 'reasoning', text: 'Read-only file system' }, true)).toBeNull();
  });

  it('counts an agent’s own messages only if it prints nothing else', () => {
    const said = { type: 'message', text: 'It said: Read-only file system' } as const;
    expect(refusedWriteIn(said, false)).toBeNull();
    expect(refusedWriteIn(said, true)).toMatchObject({ what: 'write' });
  });
});
