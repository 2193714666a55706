import { describe, expect, it } from 'vitest';
import { refusedWriteIn } from './sandbox-refusals.ts';

const finished = (output: string) => ({ type: 'tool.finished' as const, id: '1', ok: false, output });

describe('what an agent complains about', () => {
  it.each(["ok\ntouch: cannot touch '/etc/motd': Read-only file system\nmore", "Error: EROFS: read-only file system, open '/etc/motd'"])(
    'tells of a refused write: %j',
    (output) => {
      expect(refusedWriteIn(finished(output), false)).toMatchObject({ what: 'write', target: expect.stringContaining('/etc/motd') });
    },
  );

  it('tells of none where there was none', () => {
    expect(refusedWriteIn(finished('Permission denied'), false)).toBeNull();
    expect(refusedWriteIn({ type: 'reasoning', text: 'Read-only file system' }, true)).toBeNull();
  });

  it('counts what an agent says only where that is all it prints', () => {
    const said = { type: 'message', text: 'It said: Read-only file system' } as const;
    expect(refusedWriteIn(said, false)).toBeNull();
    expect(refusedWriteIn(said, true)).toMatchObject({ what: 'write' });
  });
});
