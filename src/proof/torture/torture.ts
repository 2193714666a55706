import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openScope } from '../../kit/async/scope.ts';
import { packagePath } from '../../kit/files/package-root.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { openGuardian } from '../../process/guardian.ts';
import { openShell } from '../../sandbox/command-shell.ts';
import { openMask } from '../../sandbox/environment/open-mask.ts';
import { readCases, type TortureCase } from './figures/case-file.ts';
import type { CaseResult } from './figures/tally.ts';
import { type Rack, runCase } from './run-case.ts';

export interface TortureSet {
  readonly version: number;
  readonly cases: readonly TortureCase[];
}

/** Reads every case that comes with the program. */
export async function readSet(folder = packagePath('torture')): Promise<TortureSet> {
  const { version } = JSON.parse(await readFile(join(folder, 'set.json'), 'utf8'));
  const open = await readFolder(folder, 'open');
  const learned = await readFolder(join(folder, 'learned'), 'learned');
  const blind = await readFolder(join(folder, 'blind'), 'blind');
  return { version, cases: [...open, ...learned, ...blind] };
}

async function readFolder(folder: string, part: TortureCase['part']): Promise<readonly TortureCase[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.yaml')).sort();
  const { parse } = await import('yaml');
  const read = async (name: string) => {
    const path = join(folder, name);
    const refuse = (why: string) =>
      new OperatorError('torture-set', `${path} is no file of cases: ${oneLine(why)}`, {
        hint: 'docs/guide/torture-and-sealed-checks.md has the format.',
        exitCode: 2,
      });
    const text = await readFile(path, 'utf8');
    const read = () => {
      try {
        return readCases(parse(text), { part, gate: name.slice(0, -'.yaml'.length) });
      } catch (error) {
        throw refuse((error as Error).message);
      }
    };
    const cases = read();
    if (typeof cases === 'string') throw refuse(cases);
    return cases;
  };
  return (await Promise.all(names.map(read))).flat();
}

interface Wish extends Omit<Rack, 'folder' | 'shellIn'> {
  readonly jobs: number;
  readonly onStart: (each: TortureCase) => void;
  readonly onResult: (result: CaseResult) => void;
}

/** Runs all cases, several at a time. Leaves neither files nor processes, unless they are to be kept. */
export async function torture(cases: readonly TortureCase[], wish: Wish, signal: AbortSignal): Promise<readonly CaseResult[]> {
  await using scope = openScope();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'ralph-torture-')));
  if (!wish.keep) scope.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const marker = `torture-${randomUUID()}`;
  const guardian = openGuardian(`${marker}/`);
  scope.defer(() => guardian.close());
  const mask = openMask(wish.env).openStream;
  const shellIn: Rack['shellIn'] = ({ env }) => {
    const shell = openShell({ env, mask, guardian: { ...guardian, reportLeft: () => undefined } });
    return { run: (request, ended) => shell.run({ ...request, marker: `${marker}/${request.marker}` }, ended) };
  };
  const results: CaseResult[] = [];
  const waiting = [...cases.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      const [index, each] = next;
      wish.onStart(each);
      const result = await runCase(each, { ...wish, folder, shellIn }, signal);
      if (signal.aborted) return;
      results[index] = result;
      wish.onResult(result);
    }
  };
  await Promise.all(Array.from({ length: wish.jobs }, work));
  return results;
}
