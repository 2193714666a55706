import { readdir } from 'node:fs/promises';
import type { OwnGit } from '../../engine/ports/sandbox.ts';
import { execArgs } from './docker-grammar.ts';
import { type Carrier, carryIn, makeInside } from './freshness.ts';

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
