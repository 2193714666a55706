import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../../test/support/until.ts';
import { identityOf } from './identity.ts';
import type { ProcessIdentity } from './process-request.ts';
import { openRelatedProcesses, type RelationTraits } from './sweep.ts';

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

function start(line: string): ProcessIdentity {
  const child = spawn('sh', ['-c', line], { detached: true, stdio: 'ignore' });
  children.push(child);
  const identity = child.pid === undefined ? null : identityOf(child.pid);
  if (identity === null) throw new Error('It is not in the process table.');
  return identity;
}

const nobody: RelationTraits = { known: [], session: null, isOurMarker: () => false };

describe('the related processes of a process', () => {
  it('are itself and its descendants, also in other sessions and without environment', async () => {
    const parent = start('env -i setsid sh -c "sleep 1000 & wait" & wait');
    const kin = openRelatedProcesses({ ...nobody, known: [parent] });
    await until('all three are seen', () => kin.look().living.length === 3);
    expect(kin.look().living.map(({ pid }) => pid)).toContain(parent.pid);
    process.kill(parent.pid, 'SIGKILL');
    await until('the two that were seen are known without their parent', () => kin.look().living.length === 2);
    for (const { pid } of kin.look().living) process.kill(pid, 'SIGKILL');
    await until('none lives', () => kin.look().living.length === 0);
  });

  it('do not include those of a foreign process with a reused pid', () => {
    const stranger = start('exec sleep 1000');
    expect(openRelatedProcesses({ ...nobody, known: [{ ...stranger, startTime: '1' }] }).look().living).toEqual([]);
    expect(openRelatedProcesses({ ...nobody, known: [stranger] }).look().living).toHaveLength(1);
  });

  it('do not include the session of a foreign process with the reused pid of its leader', () => {
    const stranger = start('sleep 1000 & wait');
    expect(openRelatedProcesses({ ...nobody, session: { ...stranger, startTime: '1' } }).look().living).toEqual([]);
    expect(
      openRelatedProcesses({ ...nobody, session: stranger })
        .look()
        .living.map(({ pid }) => pid),
    ).toContain(stranger.pid);
  });

  it('never include this process, its ancestors or its other children', () => {
    const stranger = start('exec sleep 1000');
    const line = [process.pid, process.ppid, 1].map(identityOf).filter((identity) => identity !== null);
    const living = openRelatedProcesses({ ...nobody, known: line })
      .look()
      .living.map(({ pid }) => pid);
    for (const pid of [...line.map((identity) => identity.pid), stranger.pid]) expect(living).not.toContain(pid);
  });

  it('do not include a process that was given up', () => {
    const stranger = start('exec sleep 1000');
    const kin = openRelatedProcesses({ ...nobody, known: [stranger] });
    for (const row of kin.look().living) kin.giveUpOn(row);
    expect(kin.look().living).toEqual([]);
  });
});
