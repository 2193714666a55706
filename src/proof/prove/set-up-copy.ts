import { renameSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { TreeFile } from '../../engine/ports/git.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { bytesAt, found, isRealFolder } from '../../workspace/isolated/carry.ts';
import { type Setup, setupFor } from '../../workspace/lock-files.ts';

type Files = ReadonlyMap<string, TreeFile>;

interface Copied {
  readonly top: string;
  /** The folder in which gates run, relative to the top. */
  readonly below: string;
  readonly files: Files;
  /** The files at the start of the run. */
  readonly base: Files;
  /** The command of the settings; absent: found by the lock file. */
  readonly command: string | undefined;
  /** Folders that processes in the copy share with the operator, by their names. Those that are filled anew are taken from it. */
  readonly shared: Set<string>;
}

interface Hands {
  readonly run: (gate: GateSpec) => Promise<GateResult>;
  readonly restore: (paths: readonly string[]) => Promise<void>;
}

const TIMEOUT_MS = 30 * 60_000;

/**
 * Installs packages in a copy whose lock files are not those of the start: the operator's packages are for the old ones. Where that fails the operator's come
 * back, and the result is returned: the gates tell whether it matters. Files of the project stay as they are in the tree, whatever an installer runs.
 */
export async function setUpCopy(copy: Copied, { run, restore }: Hands): Promise<readonly GateResult[]> {
  const setups = setupsOf(copy);
  if (setups.length === 0) return [];
  const before = looksOf(copy);
  const failed: GateResult[] = [];
  for (const each of setups) failed.push(...(await setUpOne(copy, each, run)));
  const after = looksOf(copy);
  await restore([...before].flatMap(([path, look]) => (after.get(path) === look ? [] : [path])));
  return failed;
}

/** Nothing if it went well. */
async function setUpOne(copy: Copied, { command, at, folders }: Wanted, run: Hands['run']): Promise<readonly GateResult[]> {
  const aside = folders.flatMap((folder, index) => moveAside(copy, folder, index) ?? []);
  const where = relative(copy.below === '' ? '.' : copy.below, at);
  const words = where === '' ? command : `cd ${shellQuote(where)} && ${command}`;
  const result = await run({ command: words, failAction: 'APPEND', hint: null, timeoutMs: TIMEOUT_MS });
  for (const { drop, putBack } of aside) (result.green ? drop : putBack)();
  return result.green ? [] : [result];
}

interface Wanted extends Pick<Setup, 'command' | 'at'> {
  readonly folders: readonly string[];
}

/** Which commands run where: one for each changed lock file, or that of the settings, once. */
function setupsOf({ files, base, command, below }: Copied): readonly Wanted[] {
  const changed = [...files].flatMap(([path, { id }]) => (base.get(path)?.id === id ? [] : (setupFor(path) ?? [])));
  const wanted = changed.map(({ folder, ...each }) => ({ ...each, folders: folder === null ? [] : [folder] }));
  if (command === undefined || wanted.length === 0) return wanted;
  return [{ command, at: below === '' ? '.' : below, folders: wanted.flatMap(({ folders }) => folders) }];
}

/** Null if nothing is there. It is moved to where no process in the copy can reach it. */
function moveAside({ top, shared }: Copied, name: string, index: number): { drop(): void; putBack(): void } | null {
  const path = Buffer.from(name).toString('latin1');
  const isReachable = !path.includes('/') || isRealFolder(top, dirname(path));
  if (!isReachable || found(bytesAt(top, path)) === undefined) return null;
  const aside = join(dirname(top), `packages-${index}`);
  const wasShared = shared.delete(name);
  const remove = (at: Buffer | string) => rmSync(at, { recursive: true, force: true });
  remove(aside);
  renameSync(bytesAt(top, path), aside);
  return {
    drop: () => remove(aside),
    putBack() {
      if (path.includes('/') && !isRealFolder(top, dirname(path))) return;
      remove(bytesAt(top, path));
      renameSync(aside, bytesAt(top, path));
      if (wasShared) shared.add(name);
    },
  };
}

/** Nobody can set the change time of a file. */
function looksOf({ top, files }: Copied): ReadonlyMap<string, string> {
  return new Map([...files.keys()].map((path) => [path, lookOf(top, Buffer.from(path).toString('latin1'))]));
}

function lookOf(top: string, path: string): string {
  const file = !path.includes('/') || isRealFolder(top, dirname(path)) ? found(bytesAt(top, path)) : undefined;
  return file === undefined ? '' : `${file.ino} ${file.size} ${file.ctimeMs}`;
}
