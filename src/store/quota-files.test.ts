import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryRegisters } from '../../test/support/memory-registers.ts';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { openQuota, quotaFolder, readQuota } from './quota-files.ts';

const NOW = new Date(2026, 10, 18, 22, 0).getTime();
const HOUR = 3_600_000;
const claude = { name: 'claude', model: null };
const rejected = { window: 'five_hour', status: 'rejected' as const, used: null, resetsAtMs: NOW + HOUR };

const opened = (folder: string | null, run = 'r1', nowMs = NOW) => {
  const warnings: string[] = [];
  return { quota: openQuota({ folder, run, nowMs: () => nowMs, warn: (text) => warnings.push(text) }), warnings };
};

describe('the files of quotas', () => {
  it('tell every run what one run has learnt, and keep no old versions', async () => {
    await using folder = await openThrowAwayFolder();
    const [one, other] = [opened(folder.path), opened(folder.path, 'r2')];
    for (let n = 0; n < 5; n += 1) await one.quota.note(claude, [{ ...rejected, resetsAtMs: NOW + HOUR + n }], false);
    expect(await other.quota.limitOf(claude)).toMatchObject({ window: 'five_hour', untilMs: NOW + HOUR + 4 });
    expect((await readdir(folder.path)).length).toBe(2);
  });

  it('lose nothing when many runs write at once', async () => {
    await using folder = await openThrowAwayFolder();
    const runs = Array.from({ length: 8 }, (_, n) => opened(folder.path, `r${n}`).quota);
    await Promise.all(runs.flatMap((quota, n) => [quota.addCost({ key: '1.1', usd: 1 }), quota.note({ name: `a${n}`, model: null }, [rejected], false)]));
    expect((await runs[0]?.spentToday())?.usd).toBe(8);
    expect(Object.keys((await readQuota(folder.path))?.accounts ?? {})).toHaveLength(8);
  });

  it('tell other machines of an account that means the same login there, and of no other', async () => {
    await using here = await openThrowAwayFolder();
    await using there = await openThrowAwayFolder();
    const shared = memoryRegisters();
    const at = (folder: string) => openQuota({ folder, shared, run: 'r', nowMs: () => NOW, warn: () => undefined });
    const [one, other] = [at(here.path), at(there.path)];
    const key = { name: 'claude-1234abcd', model: null, isEverywhere: true };
    for (const account of [claude, key]) await one.note(account, [rejected], false);
    expect([await other.limitOf(claude), await other.limitOf(key)]).toEqual([null, expect.objectContaining({ window: 'five_hour' })]);
    await other.note(key, [], true);
    expect([await one.limitOf(key), await one.limitOf(claude)]).toEqual([null, expect.objectContaining({ window: 'five_hour' })]);
  });

  it('are started anew with one warning when they are garbage', async () => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, 'quota@7'), '{"accounts":{"claude":{"five_ho');
    const { quota, warnings } = opened(folder.path);
    expect(await quota.limitOf(claude)).toBeNull();
    await quota.note(claude, [rejected], false);
    expect(await quota.limitOf(claude)).not.toBeNull();
    expect(warnings).toEqual([expect.stringContaining('quota@7 cannot be read')]);
  });

  it('stop no run when they cannot be written: it knows at least its own', async () => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, 'file'), '');
    const { quota, warnings } = opened(join(folder.path, 'file'));
    await quota.note(claude, [rejected], false);
    expect(await quota.limitOf(claude)).not.toBeNull();
    expect(warnings).toHaveLength(1);
  });

  it('count the cost of an attempt once, one without a cost as an expensive one, and each day by itself', async () => {
    await using folder = await openThrowAwayFolder();
    const { quota } = opened(folder.path);
    await quota.addCost({ key: '1.1', usd: 2 });
    await quota.addCost({ key: '1.1', usd: 2 });
    expect(await quota.addCost({ key: '1.2', usd: null })).toEqual({ date: '2026-11-18', usd: 4, endsAtMs: new Date(2026, 10, 19).getTime() });
    expect(await quota.addCost({ key: '1.4', usd: 0.5 })).toMatchObject({ usd: 4.5 });
    // A commit message is cheap, and must not make others cheaper.
    expect(await quota.addCost({ key: '1.5', usd: null, isMessage: true })).toMatchObject({ usd: 5 });
    expect(await quota.addCost({ key: '1.6', usd: 0.1, isMessage: true })).toMatchObject({ usd: 5.1 });
    expect(await quota.addCost({ key: '1.7', usd: null, isMessage: true })).toMatchObject({ usd: 5.6 });
    expect(await opened(folder.path, 'r1', NOW + 3 * HOUR).quota.addCost({ key: '1.3', usd: 1 })).toMatchObject({ date: '2026-11-19', usd: 1 });
    expect((await readdir(folder.path)).filter((name) => name.startsWith('cost-2026-11-18'))).toEqual([]);
  });

  it('never lie in the work tree', () => {
    expect(quotaFolder({ XDG_STATE_HOME: '/srv/tree/.state' }, '/srv/tree')).toBeNull();
    expect(quotaFolder({ XDG_STATE_HOME: '/home/me/state' }, '/srv/tree')).toBe('/home/me/state/ralph');
  });
});
