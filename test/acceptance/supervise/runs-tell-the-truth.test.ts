import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProcessIdentity } from '../../../src/process/process-request.ts';
import { openLine } from '../../../src/store/journal-file.ts';
import { isRunning } from '../../support/live-processes.ts';
import { CHILD, type Family, type Member, openFamily, type Standings, SUPERVISOR } from '../../support/stand-in-family.ts';
import { until } from '../../support/until.ts';

const ORDERS: readonly (readonly Member[])[] = [
  ['supervisor', 'root', 'child'],
  ['supervisor', 'child', 'root'],
  ['root', 'supervisor', 'child'],
  ['root', 'child', 'supervisor'],
  ['child', 'supervisor', 'root'],
  ['child', 'root', 'supervisor'],
];

/** The state of a run is that of the process that writes its journal, not of its agent. */
function truth(family: Family): Standings {
  return {
    [SUPERVISOR]: family.isAlive('supervisor') ? 'running' : 'dead',
    [CHILD]: family.isAlive('child') ? 'running' : 'dead',
  };
}

/** All files in a folder with their content. */
function contents(folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return paths.map((path) => {
    const full = join(folder, path);
    const { mtimeMs, size } = statSync(full);
    return `${path} ${mtimeMs} ${statSync(full).isFile() ? createHash('sha256').update(readFileSync(full)).digest('hex') : size}`;
  });
}

/** As if the pids of all its processes had been reused. */
async function giveNumbersTo(stranger: ProcessIdentity, family: Family, startTime: string): Promise<void> {
  for (const run of [SUPERVISOR, CHILD]) {
    const journal = join(family.runsFolder, run, 'journal.jsonl');
    const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n');
    const forged = lines.map((line) => {
      const event = JSON.parse(openLine(line).line) as { readonly writer?: object; readonly pid?: number };
      if (event.writer) return { ...event, writer: { ...event.writer, pid: stranger.pid, start_time: startTime } };
      return event.pid === undefined ? event : { ...event, pid: stranger.pid, start_time: startTime };
    });
    await writeFile(journal, forged.map((event) => `${JSON.stringify(event)}\n`).join(''));
    await writeFile(join(family.runsFolder, `${run}.lock@1`), JSON.stringify({ ...stranger, startTime, note: run }));
  }
}

describe.each(ORDERS)('after kill -9 of %s, then %s, then %s', (...order) => {
  it('every run is reported correctly each time, and nothing is written', async () => {
    await using family = await openFamily();
    const before = contents(family.taskFolder);
    expect(await family.standings()).toEqual({ [SUPERVISOR]: 'running', [CHILD]: 'running' });
    for (const member of order as readonly Member[]) {
      await family.kill(member);
      expect(await family.standings()).toEqual(truth(family));
    }
    expect(await family.standings()).toEqual({ [SUPERVISOR]: 'dead', [CHILD]: 'dead' });
    expect(contents(family.taskFolder)).toEqual(before);
  });
});

describe('reused pids', () => {
  it('do not make a dead run appear alive, and no foreign process is ended', async () => {
    await using family = await openFamily();
    for (const member of ['child', 'supervisor', 'root'] as const) await family.kill(member);
    const stranger = await family.stranger();
    await giveNumbersTo(stranger, family, '1');

    expect(await family.standings()).toEqual({ [SUPERVISOR]: 'dead', [CHILD]: 'dead' });
    for (const run of [SUPERVISOR, CHILD]) {
      const stop = await family.ralph('runs', 'stop', run, '--force', '--json');
      expect([stop.code, JSON.parse(stop.stdout)]).toMatchObject([0, { answer: 'swept', stopped: true, left: [] }]);
    }
    expect(isRunning(stranger.pid)).toBe(true);
  });
});

describe('a dead supervisor', () => {
  it('is shown as done if its task folder has DONE', async () => {
    await using family = await openFamily();
    await family.kill('supervisor');
    await writeFile(join(family.taskFolder, 'DONE'), '');
    const [list, shown] = [await family.ralph('runs', 'list'), JSON.parse((await family.ralph('runs', 'show', SUPERVISOR, '--json')).stdout)];

    expect(list.stdout).toMatch(new RegExp(`^${SUPERVISOR} +supervise +done \\(not recorded\\) .* p/t$`, 'm'));
    expect(list.stdout).toMatch(new RegExp(`^└─${CHILD} +job +running .* p/t$`, 'm'));
    expect(shown).toMatchObject({ state: 'done', recorded: false, children: [{ run_id: CHILD, state: 'running', parent: SUPERVISOR }] });
  });

  it('leaves neither its agent nor its child running after ralph runs stop', async () => {
    await using family = await openFamily();
    await family.kill('supervisor');
    const stop = await family.ralph('runs', 'stop', SUPERVISOR);

    expect(stop).toMatchObject({ code: 0, stdout: `Run ${SUPERVISOR} was dead; all its processes have ended.\n` });
    await until('both are gone', () => !family.isAlive('root') && !family.isAlive('child'));
    expect(await family.standings()).toEqual({ [SUPERVISOR]: 'dead', [CHILD]: 'dead' });
  });
});
