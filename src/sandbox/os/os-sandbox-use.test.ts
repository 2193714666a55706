import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openSandboxStage } from '../../../test/support/os-sandbox-stage.ts';
import { runCollected } from '../../../test/support/run-collected.ts';

const MIB = 1024 ** 2;
const ROOMY = { memoryBytes: 100 * MIB, processes: 40 };

async function endingOf(script: string, limits = ROOMY) {
  await using stage = await openSandboxStage(() => ({ limits }));
  const call = { who: 'gate', file: 'sh', args: ['-c', script], cwd: stage.repo.path, env: { PATH: process.env['PATH'] ?? '', HOME: stage.home } } as const;
  const { leave, ...enclosed } = await stage.wall.enclose(call);
  const { ending, request } = await runCollected(stage.repo.beside, { ...enclosed, stderrFile: 'merged' });
  await leave();
  return { ending, said: readFileSync(request.stdoutFile, 'utf8') };
}

const STAYS = 'while :; do sleep 60; done';
/** Perl has no memory of its own worth mentioning, and keeps what it is given. */
const holds = (mib: number) => `perl -e '$a = "x" x (${mib} << 20); sleep 600'`;

describe.skipIf(bubblewrapIsMissing()).concurrent('a process in the sandbox is ended if it uses too much', () => {
  it.each([
    ['memory', 'memory', holds(300)],
    ['memory in many processes', 'memory', `for n in 1 2 3 4 5 6; do ${holds(30)} & done; ${STAYS}`],
    ['memory as files', 'memory', `head -c ${120 * MIB} /dev/zero > /tmp/big; ${STAYS}`],
    ['processes', 'processes', `for n in $(seq 60); do sleep 600 & done; ${STAYS}`],
    ['processes that have left their parents', 'processes', `for n in $(seq 60); do (setsid sleep 600 &); done; ${STAYS}`],
  ])('%s', async (_what, cause, script) => {
    expect((await endingOf(script)).ending).toMatchObject({ kind: 'stopped', cause });
  });
});

describe.skipIf(bubblewrapIsMissing()).concurrent('a process in the sandbox is not ended', () => {
  it('for memory that its processes share', async () => {
    const shares = `perl -e '$n = 30; $a = "x" x ($n << 20); for (1..5) { if (!fork) { sleep 3; exit } } wait for 1..5'`;
    expect((await endingOf(shares)).ending).toEqual({ kind: 'exited', code: 0 });
  });

  it('if there is no limit, and is the first that the kernel ends when memory runs out', async () => {
    const { ending, said } = await endingOf(`for n in $(seq 60); do sleep 2 & done; wait; cat /proc/self/oom_score_adj`, { memoryBytes: 0, processes: 0 });
    expect([ending, said]).toEqual([{ kind: 'exited', code: 0 }, '1000\n']);
  });
});
