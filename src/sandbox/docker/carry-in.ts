import { randomUUID } from 'node:crypto';
import { lstat, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { capture } from '../../process/capture.ts';
import type { Variables } from './docker-cli.ts';
import type { DockerCommands } from './docker-commands.ts';
import { execArgs } from './docker-grammar.ts';
import { unavailable } from './sandbox-trouble.ts';

/** More than this is not carried: a restart of the sandbox takes ten seconds and brings everything. */
const MAX_FILES = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;
const PACKED_WITHIN_MS = 120_000;

export interface Load {
  readonly top: string;
  readonly written: readonly string[];
  readonly removed: readonly string[];
}

/** What it takes to write into a sandbox. */
export interface Carrier {
  readonly commands: DockerCommands;
  readonly name: string;
  readonly env: Variables;
  /** Only ours. */
  readonly scratch: string;
}

export async function isTooMuch({ top, written, removed }: Load): Promise<boolean> {
  if (written.length + removed.length > MAX_FILES) return true;
  let bytes = 0;
  for (const path of written) bytes += (await lstat(join(top, path)).catch(() => null))?.size ?? 0;
  return bytes > MAX_BYTES;
}

/**
 * Writes what was changed on the host into the sandbox, by a command that runs there. The sync of Docker's sandboxes would not: a file that it has once brought
 * in is never brought in again, whatever the host makes of it (measured by the author of seed 003, not by us).
 */
export async function carryIn({ commands, name, env, scratch }: Carrier, { top, written, removed }: Load): Promise<void> {
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

/** Whoever the commands run as may write there. */
const MAKE = 'mkdir -p "$1" && { chown agent "$1" 2>/dev/null || chmod 777 "$1"; }';

/** A folder of the sandbox's own, at a path that the host has and the sandbox was not made with. */
export async function makeInside({ commands, name }: Carrier, folder: string): Promise<void> {
  await commands.must('making a folder in it', execArgs(commands.cli, { name, user: 'root', command: ['sh', '-c', MAKE, 'sh', folder] }));
}

export async function removeInside({ commands, name }: Carrier, folder: string): Promise<void> {
  await commands.ask(execArgs(commands.cli, { name, user: 'root', command: ['rm', '-rf', '--', folder] }));
}

/** No name is taken for an option. */
const named = (paths: readonly string[]): string => paths.map((path) => `./${path}\0`).join('');
