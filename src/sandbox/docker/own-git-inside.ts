import { readdir } from 'node:fs/promises';
import type { OwnGit } from '../../engine/ports/sandbox.ts';
import { execArgs } from './docker-grammar.ts';
import { type Carrier, carryIn, makeInside } from './freshness.ts';

/** Objects never change under their name. Everything else in such a folder is a cache, or is written by a git at this moment. */
const OBJECT_FILE = /^(?:[0-9a-f]{2}\/[0-9a-f]+|pack\/pack-[0-9a-f]+\.(?:pack|idx|rev)|info\/alternates)$/;

const LINK = 'rm -rf -- "$1/.git" && ln -s "$2" "$1/.git"';

/**
 * Gives one command in the sandbox a repository of its own. The sandbox has no folder of the operator's repository, so the objects are copied in, each once.
 * The repository itself lies in a folder that the sandbox shares with the host: what the command commits comes back that way.
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
