import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProcessEnding, UNFOLLOWED } from '../../process/process-request.ts';
import { runProcess } from '../../process/run-process.ts';
import { makeTemporaryFolder } from '../../process/temporary-folder.ts';
import { GIT_TIMEOUT_MS, NOTHING_REPLACED, NOTHING_RUN, type Variables } from './git-command.ts';
import type { GitPlace } from './git-place.ts';

interface Feed {
  readonly args: readonly string[];
  /** Variables of our own index and objects, where the operator's are not used. */
  readonly own?: Variables;
  readonly stdin?: string;
  /** Git is stopped once it has printed this much, and that counts as success. */
  readonly mostBytes: number;
}

interface Fed {
  /** True if git ended well, or was stopped because it had printed enough. */
  readonly isGood: boolean;
  /** False if it was stopped. */
  readonly isWhole: boolean;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** No guardian is needed: we wait for every process that we start here. */
export const nobody = { watch: () => undefined, forget: () => undefined, reportLeft: () => undefined };

/** For a git that reads our stdin, or that may print too much to keep. No hook runs; a split index stays split. */
export async function feedGit({ cwd, env }: Pick<GitPlace, 'cwd' | 'env'>, { args, own = {}, stdin = '', mostBytes }: Feed): Promise<Fed> {
  const folder = await makeTemporaryFolder('git');
  const [stdoutFile, stderrFile] = [join(folder, 'stdout'), join(folder, 'stderr')];
  try {
    const ending = await runProcess(
      {
        ...{ file: 'git', args: [...NOTHING_RUN, ...args], cwd, env: { ...env, ...NOTHING_REPLACED, ...own, LANGUAGE: 'en' }, stdin, stdoutFile, stderrFile },
        ...{ marker: `git-${randomUUID()}`, guardian: nobody, maxOutputBytes: mostBytes, deadlineMs: GIT_TIMEOUT_MS },
        ...UNFOLLOWED,
      },
      new AbortController().signal,
    );
    const isWhole = ending.kind === 'exited' && ending.code === 0;
    const isGood = isWhole || (ending.kind === 'stopped' && ending.cause === 'output');
    return { isGood, isWhole, stdout: await readOr(stdoutFile), stderr: why(ending) ?? String(await readOr(stderrFile)) };
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

const readOr = async (path: string) => await readFile(path).catch(() => Buffer.alloc(0));

function why(ending: ProcessEnding): string | null {
  if (ending.kind === 'never-started') return ending.message;
  if (ending.kind === 'stopped') return ending.detail;
  return ending.kind === 'signalled' ? `git was ended by ${ending.signal}` : null;
}
