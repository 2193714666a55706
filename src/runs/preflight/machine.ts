import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { type Check, type CheckResult, type Finding, fine, found, joined, NOTHING } from './finding.ts';

/** As in package.json. */
const OLDEST_NODE: readonly [major: number, minor: number] = [20, 19];

export const checkNode: Check = async () => nodeResult(process.versions.node);

export function nodeResult(version: string): CheckResult {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  if (!isOld) return fine(`Node ${version}`);
  return found({ what: `Node ${version} is too old`, where: process.execPath, fix: `Install Node ${OLDEST_NODE.join('.')} or later.`, isFatal: true });
}

const MIB = 1024 * 1024;
/** Below the first nothing can be recorded; below the second a night of work may not fit. */
const LEAST_BYTES = MIB;
const LITTLE_BYTES = 200 * MIB;

export const checkDisk: Check = async ({ workspace }) =>
  joined(await Promise.all([...new Set([workspace.home.runsFolder, tmpdir()])].map(async (folder) => freeResult(folder, await freeBytes(folder)))));

export function freeResult(folder: string, bytes: number | null): CheckResult {
  if (bytes === null) return NOTHING;
  const finding = (isFatal: boolean): Finding => ({
    what: `only ${Math.floor(bytes / MIB)} MiB of disk space are free`,
    where: folder,
    fix: 'Free disk space there; `ralph runs prune` removes old runs.',
    isFatal,
  });
  if (bytes < LITTLE_BYTES) return found(finding(bytes < LEAST_BYTES));
  return fine(`${(bytes / MIB / 1024).toFixed(1)} GiB free in ${folder}`);
}

/** The folder itself may not exist yet. Null if the system does not tell. */
async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return dirname(folder) === folder ? null : await freeBytes(dirname(folder));
  }
}
