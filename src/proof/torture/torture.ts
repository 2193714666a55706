import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openScope } from '../../kit/async/scope.ts';
import { openGuardian } from '../../process/guardian.ts';
import { openShell } from '../../sandbox/command-shell.ts';
import { openMask } from '../../sandbox/environment/open-mask.ts';
import type { TortureCase } from './figures/case-file.ts';
import type { CaseResult } from './figures/tally.ts';
import { type Rack, runCase } from './run-case.ts';

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
