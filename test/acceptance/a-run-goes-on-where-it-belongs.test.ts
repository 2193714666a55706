import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLine } from '../../src/store/journal-file.ts';
import { openGitPlace, type Place } from '../support/place.ts';
import type { EndedRun } from '../support/stage.ts';

type Line = Record<string, unknown> & { readonly type: string; readonly at: number };

const HOUR_MS = 3_600_000;

/** Rewrites a journal and its digests, to simulate a changed environment. */
function rewrite({ result }: EndedRun, change: (lines: readonly Line[]) => readonly Line[]): void {
  const path = join(`${result?.run_folder}`, 'journal.jsonl');
  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(openLine(line).line) as Line);
  writeFileSync(
    path,
    change(lines)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
}

const untilBefore = (type: string) => (lines: readonly Line[]) =>
  lines.slice(
    0,
    lines.findIndex((line) => line.type === type),
  );
const unfinished = untilBefore('run.stopped');
const startRun = (place: Place, cwd: string) => place.ralph(['run', '-p', 'a', '--agent', place.agent, '--guardrail', 'false', '-m', '1', '--json'], { cwd });

describe.concurrent('a run whose directory was removed', () => {
  it('is resumed elsewhere only by its name, with a message', async () => {
    await using place = await openGitPlace();
    const tree = join(place.beside, 'tree');
    place.git('worktree', 'add', '-q', tree);
    const run = await startRun(place, tree);
    rewrite(run, unfinished);
    place.git('worktree', 'remove', '--force', tree);
    const id = `${run.result?.run_id}`;
    const [newest, status] = [await place.ralph(['run', '--resume']), await place.ralph(['status'])];
    const named = await place.ralph(['run', '--resume', id, '--json']);

    for (const refused of [newest, status]) {
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toBe(
        `error: there is no run here\nhint: Run ${id} was started in ${tree}, which is gone. If it belongs here, continue it with: ralph runs resume ${id}\n`,
      );
    }
    expect(named.stderr).toContain(`warning: run ${id} was started in ${tree}, which is gone; it continues here, in ${place.path}\n`);
    expect(named).toMatchObject({ code: 1, result: { run_id: id, stop_reason: 'max_iterations' } });
  });
});

describe.concurrent('a run whose process cannot be seen from here', () => {
  it('is not reported as dead', async () => {
    await using place = await openGitPlace();
    const run = await startRun(place, place.path);
    rewrite(run, (lines) =>
      unfinished(lines).map((line) => (line.type === 'run.started' ? { ...line, writer: { host: 'far', boot_id: 'away', pid: 7, start_time: '1' } } : line)),
    );
    const [words, json] = [await place.ralph(['status']), await place.ralph(['status', '--json'])];

    expect(words.stdout).toMatch(/^Run \S+: unknown from here\n/);
    expect(words.stdout).not.toContain('--resume');
    expect(json.result).toMatchObject({ status: 'unknown', stop_reason: null });
  });
});

describe.concurrent('a run with a newer neighbour that never started', () => {
  it('is the one that --resume continues, also from a subfolder', async () => {
    await using place = await openGitPlace();
    const [run, stillborn] = [await startRun(place, place.path), await startRun(place, place.path)];
    rewrite(run, unfinished);
    rewrite(stillborn, () => []);
    const cwd = join(place.path, 'sub', 'deep');
    mkdirSync(cwd, { recursive: true });
    const [status, resumed] = [await place.ralph(['status', '--json'], { cwd }), await place.ralph(['run', '--resume', '--json'], { cwd })];

    expect(status.result).toMatchObject({ run_id: run.result?.run_id, status: 'dead' });
    expect(resumed.result).toMatchObject({ run_id: run.result?.run_id, stop_reason: 'max_iterations' });
  });
});

describe.concurrent('a clock that was set back', () => {
  it('does not make a resumed run wait for a time that has already passed', async () => {
    await using place = await openGitPlace();
    const run = await place.ralph(['run', '-p', 'a', '--agent', 'false', '-m', '3', '--json']);
    rewrite(run, (lines) => {
      const second = lines.filter((line) => line.type === 'iteration.closed')[1];
      return lines.slice(0, lines.indexOf(second as Line) + 1).map((line) => ({ ...line, at: line.at + HOUR_MS }));
    });
    const resumed = await place.ralph(['run', '--resume', '--json']);

    expect(resumed).toMatchObject({ code: 1, result: { run_id: run.result?.run_id, stop_reason: 'max_iterations', iterations: 3 } });
  });
});
