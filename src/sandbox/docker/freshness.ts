import { randomUUID } from 'node:crypto';
import { lstat, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnGit } from '../../engine/ports/sandbox.ts';
import { pathExists } from '../../kit/files/read.ts';
import { capture } from '../../process/capture.ts';
import type { DockerCommands } from './docker-commands.ts';
import { execArgs, stopArgs, unavailable, type Variables } from './docker-grammar.ts';
import { changedSince, type HostFiles, lookAtHost } from './host-files.ts';

/** A folder that a command works in. */
export interface Top {
  readonly path: string;
  /** True when an agent may have written all of it, including `.git`: no git of the host opens it. */
  readonly isCopy: boolean;
  /** True when the command gets its own git, so that changes of the operator's repository need not reach the sandbox. */
  readonly hasOwnGit: boolean;
}

export interface Freshness {
  /** Called before the sandbox starts: it will see these work trees as they are now. */
  willStart(tops: readonly string[]): Promise<void>;
  /** Called before a command: makes the loop's changes to this folder since the last command visible inside. */
  bring(top: Top): Promise<void>;
  /** Called after a command: records the files on the host as the ones the sandbox knows. */
  note(top: Top): Promise<void>;
}

interface Surroundings {
  readonly carrier: Carrier;
  readonly warn: (text: string) => void;
  /** Whether a command of this run or another one runs inside. If so, the sandbox must not be stopped. */
  readonly isBusy: () => boolean;
  /** Folders that are not mounted are copied in as a whole, and their changes never come back. */
  readonly isMounted: (path: string) => boolean;
  readonly isReadOnly: (path: string) => boolean;
}

/** Tracks which state of the host's files the sandbox has seen, and updates the sandbox when they change. */
export function openFreshness({ carrier, warn, isBusy, isMounted, isReadOnly }: Surroundings): Freshness {
  const { commands, name, env } = carrier;
  const seen = new Map<string, HostFiles>();
  const note = async (top: string) => void seen.set(top, await lookAtHost(top, env, seen.get(top)?.isCopy));

  /** Only a start makes the sandbox read all files anew, including git's. */
  const restart = async () => {
    await commands.must('stopping it', stopArgs(commands.cli, name));
    for (const top of [...seen.keys()]) {
      if (isMounted(top)) await note(top);
      else seen.delete(top);
    }
  };
  const forgetThrownAway = async () => {
    for (const top of [...seen.keys()]) {
      if (isMounted(top) || (await pathExists(top))) continue;
      seen.delete(top);
      await removeInside(carrier, top);
    }
  };
  const changesOf = (top: string, before: HostFiles | null, now: HostFiles) => {
    const { written, removed } = changedSince(before, now);
    const mayCarry = (path: string) => !isReadOnly(join(top, path));
    return { top, written: written.filter(mayCarry), removed: removed.filter(mayCarry) };
  };

  const needsStart = async (load: Load, before: HostFiles | null, now: HostFiles, { hasOwnGit }: Top) => {
    if (!hasOwnGit && (before === null || before.git !== now.git)) return true;
    return isMounted(load.top) && (before === null || (await isTooMuch(load)));
  };

  const restartIfIdle = async (before: HostFiles | null) => {
    if (!isBusy()) await restart();
    else if (before !== null) warn('git in the Docker sandbox sees what the loop has committed only after all agents in it have ended');
    return !isBusy();
  };
  const carryWhole = async (load: Load) => {
    await makeInside(carrier, load.top);
    await carryIn(carrier, load);
  };

  return {
    async note({ path, isCopy }) {
      if (isMounted(path)) seen.set(path, await lookAtHost(path, env, isCopy));
    },
    async willStart(tops) {
      seen.clear();
      for (const top of tops) await note(top);
    },
    async bring(top) {
      const { path, isCopy } = top;
      await forgetThrownAway();
      const before = seen.get(path) ?? null;
      const now = await lookAtHost(path, env, isCopy);
      const load = changesOf(path, before, now);
      seen.set(path, now);
      const isStarted = (await needsStart(load, before, now, top)) && (await restartIfIdle(before));
      // The start has already updated all mounted folders.
      if (isStarted && isMounted(path)) return;
      if (isMounted(path) || (before !== null && !isStarted)) await carryIn(carrier, load);
      else await carryWhole(changesOf(path, null, now));
      seen.set(path, now);
    },
  };
}

/** Above these limits a restart of the sandbox is faster: it takes ten seconds and updates everything. */
const MAX_FILES = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;
const PACKED_WITHIN_MS = 120_000;

export interface Load {
  readonly top: string;
  readonly written: readonly string[];
  readonly removed: readonly string[];
}

/** What is needed to write into a sandbox. */
interface Carrier {
  readonly commands: DockerCommands;
  readonly name: string;
  readonly env: Variables;
  /** A folder that only Ralph can access. */
  readonly scratch: string;
}

async function isTooMuch({ top, written, removed }: Load): Promise<boolean> {
  if (written.length + removed.length > MAX_FILES) return true;
  let bytes = 0;
  for (const path of written) bytes += (await lstat(join(top, path)).catch(() => null))?.size ?? 0;
  return bytes > MAX_BYTES;
}

/**
 * Writes the files that changed on the host into the sandbox, with a command that runs there. Docker's own sync does not do this: once it has copied a file, it
 * ignores later changes on the host (measured by the author of seed 003, not by us).
 */
async function carryIn({ commands, name, env, scratch }: Carrier, { top, written, removed }: Load): Promise<void> {
  const list = join(scratch, `${randomUUID()}.list`);
  const pack = join(scratch, `${randomUUID()}.tar`);
  const inside = (...command: readonly string[]) => execArgs(commands.cli, { name, cwd: top, command });
  try {
    if (removed.length > 0) {
      await writeFile(list, named(removed), { mode: 0o600 });
      await commands.must('removing files in it', inside('xargs', '-0', 'rm', '-f', '--'), { inputFile: list });
    }
    if (written.length === 0) return;
    await writeFile(list, named(written), { mode: 0o600 });
    const packed = await capture({ file: 'tar', args: ['-cf', pack, '--null', '-T', list], cwd: top, env, timeoutMs: PACKED_WITHIN_MS });
    if (packed.code !== 0) throw unavailable(`What was changed in ${top} cannot be packed for the Docker sandbox: ${packed.stderr.trim()}`, 'Is "tar" there?');
    await commands.must('writing files in it', inside('tar', '-xf', '-'), { inputFile: pack });
  } finally {
    for (const file of [list, pack]) await rm(file, { force: true });
  }
}

/** Lets the user that runs the commands write there. */
const MAKE = 'mkdir -p "$1" && { chown agent "$1" 2>/dev/null || chmod 777 "$1"; }';

/** Creates a folder inside the sandbox only, at a path that exists on the host. */
async function makeInside({ commands, name }: Carrier, folder: string): Promise<void> {
  await commands.must('making a folder in it', execArgs(commands.cli, { name, user: 'root', command: ['sh', '-c', MAKE, 'sh', folder] }));
}

async function removeInside({ commands, name }: Carrier, folder: string): Promise<void> {
  await commands.ask(execArgs(commands.cli, { name, user: 'root', command: ['rm', '-rf', '--', folder] }));
}

/** Prefixes `./`, so that no name looks like an option. */
const named = (paths: readonly string[]): string => paths.map((path) => `./${path}\0`).join('');

/** A file with such a name never changes. All others in an object folder are caches, or are being written by a git process right now. */
const OBJECT_FILE = /^(?:[0-9a-f]{2}\/[0-9a-f]+|pack\/pack-[0-9a-f]+\.(?:pack|idx|rev)|info\/alternates)$/;

const LINK = 'rm -rf -- "$1/.git" && ln -s "$2" "$1/.git"';

/**
 * Gives one command in the sandbox its own git. The operator's repository is not mounted, so its objects are copied in, each once. The repository itself is in
 * a folder that the sandbox shares with the host, so the command's commits reach the host.
 */
export async function bringOwnGit(carrier: Carrier, top: string, { folder, lenders }: OwnGit): Promise<void> {
  const { commands, name } = carrier;
  for (const objects of lenders) await bringObjects(carrier, objects);
  await makeInside(carrier, folder);
  await carryIn(carrier, { top: folder, written: ['.'], removed: [] });
  await commands.must('giving it a repository', execArgs(commands.cli, { name, command: ['sh', '-c', LINK, 'sh', top, folder] }));
}

async function bringObjects(carrier: Carrier, objects: string): Promise<void> {
  const { commands, name } = carrier;
  await makeInside(carrier, objects);
  const listed = await commands.must('listing files in it', execArgs(commands.cli, { name, cwd: objects, command: ['find', '.', '-type', 'f'] }));
  const there = new Set(listed.split('\n').map((line) => line.replace(/^\.\//, '')));
  const files = await readdir(objects, { recursive: true }).catch(() => []);
  const written = files.filter((path) => OBJECT_FILE.test(path) && !there.has(path));
  if (written.length > 0) await carryIn(carrier, { top: objects, written, removed: [] });
}
