import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { BUILT } from '../../test/support/built-modules.ts';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { until } from '../../test/support/until.ts';
import { putNumbered } from '../kit/files/numbered.ts';
import { identityOf, isAlive } from '../process/identity.ts';
import type { ProcessIdentity } from '../process/process-request.ts';
import { lockHolder, takeLock } from './lock.ts';

function ourselves(): ProcessIdentity {
  const identity = identityOf(process.pid);
  if (identity === null) throw new Error('We are not in the process table.');
  return identity;
}

/** The identity of a process that has ended. */
async function deadProcess(): Promise<ProcessIdentity> {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  const identity = child.pid === undefined ? null : identityOf(child.pid);
  child.kill('SIGKILL');
  if (identity === null) throw new Error('It is not in the process table.');
  await until('it is dead', () => !isAlive(identity));
  return identity;
}

async function writeRecord(path: string, record: unknown): Promise<void> {
  await writeFile(`${path}@1`, typeof record === 'string' ? record : JSON.stringify(record));
}

describe('a lock', () => {
  it('can be taken when it is free, and shows its holder to the next process', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'lock');
    expect(await takeLock(path, 'run-1')).toMatchObject({ kind: 'taken' });
    expect(await takeLock(path, 'run-2')).toEqual({ kind: 'held', by: { ...ourselves(), note: 'run-1' }, liveness: 'alive', path: `${path}@1` });
  });

  it('can be read without taking it', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'lock');
    expect(await lockHolder(path)).toBeNull();
    expect(await readdir(folder.path)).toEqual([]);
    await using held = await takeLock(path, 'run-1').then((lock) => (lock.kind === 'taken' ? lock : null));
    expect(await lockHolder(path)).toMatchObject({ by: { note: 'run-1' }, liveness: 'alive' });
    await held?.release();
    expect(await lockHolder(path)).toBeNull();
  });

  it('can be taken again after a release or the end of its block', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'lock');
    for (let round = 0; round < 5; round += 1) {
      await using answer = await takenOrThrow(path);
      if (round % 2 === 0) await answer.release();
    }
    await takenOrThrow(path);
    expect((await readdir(folder.path)).length).toBeLessThanOrEqual(2);
  });

  it('released twice does not release the next holder', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'lock');
    const first = await takenOrThrow(path);
    await first.release();
    await takenOrThrow(path);
    await first.release();
    expect(await takeLock(path, 'run-3')).toMatchObject({ kind: 'held' });
  });

  it('that was removed and taken by another process is not released by its first holder', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'lock');
    const first = await takenOrThrow(path, 'run-1');
    await rm(`${path}@1`);
    await takenOrThrow(path, 'run-2');
    await first.release();
    expect(await takeLock(path, 'run-3')).toMatchObject({ kind: 'held', by: { note: 'run-2' } });
  });

  it('whose folder was removed is released without creating the folder again', async () => {
    await using folder = await openThrowAwayFolder();
    const gone = join(folder.path, 'gone');
    const lock = await takenOrThrow(join(gone, 'lock'));
    await rm(gone, { recursive: true });
    await lock.release();
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('of a dead process is taken over', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'lock');
    await writeRecord(path, { ...(await deadProcess()), note: 'dead run' });
    expect(await takeLock(path, 'run-2')).toMatchObject({ kind: 'taken' });
  });

  it('of a dead process whose pid was reused is taken over', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'lock');
    await writeRecord(path, { ...ourselves(), startTime: '1', note: 'dead run' });
    expect(await takeLock(path, 'run-2')).toMatchObject({ kind: 'taken' });
  });

  it('of an earlier boot of this machine is taken over', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'lock');
    await writeRecord(path, { ...ourselves(), bootId: 'earlier', note: 'dead run' });
    expect(await takeLock(path, 'run-2')).toMatchObject({ kind: 'taken' });
  });

  it('of a process on this machine is judged by that process, even if the machine was renamed', async () => {
    await using folder = await openThrowAwayFolder();
    const [living, dead] = [join(folder.path, 'living'), join(folder.path, 'dead')];
    await writeRecord(living, { ...ourselves(), host: 'named-by-another-network', note: 'living run' });
    await writeRecord(dead, { ...(await deadProcess()), host: 'named-by-another-network', note: 'dead run' });
    expect(await takeLock(living, 'run-2')).toMatchObject({ kind: 'held', liveness: 'alive' });
    expect(await takeLock(dead, 'run-2')).toMatchObject({ kind: 'taken' });
  });

  it.each([
    ['on another machine', { host: 'elsewhere', bootId: 'another', note: 'far' }],
    ['on another machine without boot ids', { host: 'elsewhere', bootId: 'unknown', note: 'far' }],
    ['in another pid namespace', { bootId: `${ourselves().bootId.split('+', 1)[0]}+1`, note: 'boxed' }],
  ])('of a process %s counts as held until its file is removed', async (_where, there) => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'lock');
    const holder = { ...ourselves(), ...there };
    await writeRecord(path, holder);
    expect(await takeLock(path, 'run-2')).toEqual({ kind: 'held', by: holder, liveness: 'unknown', path: `${path}@1` });
    await rm(`${path}@1`);
    expect(await takeLock(path, 'run-2')).toMatchObject({ kind: 'taken' });
  });

  it.each(['garbage', '{}', ''])('with an unreadable record counts as held by an unknown process: "%s"', async (record) => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'lock');
    await writeRecord(path, record);
    expect(await takeLock(path, 'run-2')).toMatchObject({
      kind: 'held',
      by: { pid: 0, note: `unreadable record in ${path}@1` },
      liveness: 'unknown',
      path: `${path}@1`,
    });
  });

  it('left stale goes to exactly one of eight processes, ten times of ten', async () => {
    await using folder = await openThrowAwayFolder();
    const stale = JSON.stringify({ ...(await deadProcess()), note: 'stale' });
    await using racers = await startRacers(BUILT, 8);
    for (let round = 0; round < 10; round += 1) {
      const path = join(folder.path, `race-${round}`);
      await putNumbered(folder.path, `race-${round}`, 1, stale);
      const answers = await racers.race(path);
      const winners = racers.pids.filter((_, index) => answers[index] === 'taken');
      expect(winners).toHaveLength(1);
      expect(answers.filter((answer) => answer === `held by run-${winners[0]}`)).toHaveLength(7);
      expect(JSON.parse(await readFile(`${path}@2`, 'utf8'))).toMatchObject({ pid: winners[0] });
    }
  });
});

async function takenOrThrow(path: string, note = 'test') {
  const answer = await takeLock(path, note);
  if (answer.kind === 'held') throw new Error(`held by ${answer.by.note}`);
  return answer;
}

/** Real processes that all try for a lock as soon as they hear its path. */
async function startRacers(kit: string, count: number) {
  const program = join(import.meta.dirname, '../../test/fixtures/loops/takes-locks.mjs');
  const children = Array.from({ length: count }, () => spawn(process.execPath, [program, kit], { stdio: ['pipe', 'pipe', 'inherit'] }));
  const answers = children.map((child) => createInterface({ input: child.stdout })[Symbol.asyncIterator]());
  const nextAnswers = async () => (await Promise.all(answers.map((lines) => lines.next()))).map(({ value }) => value);
  await nextAnswers();
  return {
    pids: children.map(({ pid }) => pid),
    async race(path: string) {
      for (const child of children) child.stdin.write(`${path}\n`);
      return await nextAnswers();
    },
    async [Symbol.asyncDispose]() {
      const ends = children.map((child) => once(child, 'exit'));
      for (const child of children) child.stdin.end();
      await Promise.all(ends);
    },
  };
}
