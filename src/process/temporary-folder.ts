import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identityOf, isAlive, thisMachine } from './identity.ts';

/** Each has a name `ralph-<purpose>-<machine>-<pid>-<start>-<random>`, so that it is known whose it is from the moment it exists. */
const OURS = /^ralph-[a-z-]+-([0-9a-f]{8})-(\d+)-([0-9a-f]{8})-\w{6}$/;

/** Folders in which this process has already looked. */
const tidied = new Set<string>();

/** The real path of a new folder in the system's temporary folder, for the caller to remove. First removes those of processes that were killed before they could. */
export async function makeTemporaryFolder(purpose: string): Promise<string> {
  const parent = await realpath(tmpdir());
  if (!tidied.has(parent)) {
    tidied.add(parent);
    // What stays is tried again by the next process.
    await removeAbandoned(parent).catch(() => undefined);
  }
  return await mkdtemp(join(parent, `ralph-${purpose}-${machine()}-${process.pid}-${startOf(process.pid)}-`));
}

/** The same, removed when it is disposed. */
export async function openTemporaryFolder(purpose: string): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await makeTemporaryFolder(purpose);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined) };
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, where, pid, start] = OURS.exec(name) ?? [];
    if (where !== machine() || startOf(Number(pid)) === start) continue;
    const path = join(parent, name);
    // Other users have folders here too.
    const isOurs = await lstat(path).then(
      ({ uid }) => uid === (process.getuid?.() ?? uid),
      () => false,
    );
    if (isOurs) await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

/** Processes of another machine, boot or pid namespace cannot be looked at from here. */
const machine = () => digestOf(`${thisMachine().host} ${thisMachine().bootId}`);

/** Tells a process from a later one with the same pid; null if there is none. */
function startOf(pid: number): string | null {
  const identity = identityOf(pid);
  return identity !== null && isAlive(identity) ? digestOf(identity.startTime) : null;
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
