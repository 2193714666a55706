import { randomUUID } from 'node:crypto';
import type { Captured } from '../../process/capture.ts';
import { firstComplaint, type Git } from './git-command.ts';
import { feedGit } from './git-feed.ts';
import { type HistoryPlace, OUR_NAME } from './git-place.ts';

const NOTES = 'refs/notes/ralph';
const MOST_TRIES = 20;

/** Writes the text unchanged, by way of an object: git would tidy up a message. */
export async function writeNote(place: HistoryPlace, commit: string, text: string): Promise<void> {
  const { git } = place;
  const known = await commitOf(git, commit);
  if (known === null) throw new Error(`there is no commit ${commit} to write a note for`);
  const kept = await feedGit(place, { args: ['hash-object', '-w', '--stdin', '--no-filters'], stdin: text, mostBytes: 4096 });
  if (!kept.isWhole) throw new Error(firstComplaint(kept));
  for (let tries = 1; ; tries += 1) {
    const answer = await addNote(git, known, kept.stdout.toString().trim());
    if (answer.code === 0) return;
    if (tries === MOST_TRIES) throw new Error(`the note cannot be written: ${firstComplaint(answer)}`);
  }
}

/** Writes to a ref beside the notes, and moves the notes only if nobody changed them meanwhile: git itself would lose one of two concurrent notes. */
async function addNote(git: Git, commit: string, note: string): Promise<Captured> {
  const beside = `refs/notes/ralph-${randomUUID()}`;
  const before = await idOf(git, NOTES);
  try {
    if (before !== null) await git(['update-ref', beside, before], OUR_NAME);
    const added = await git(['notes', `--ref=${beside}`, 'add', '--force', '--allow-empty', '-C', note, commit], OUR_NAME);
    if (added.code !== 0) return added;
    return await git(['update-ref', NOTES, (await idOf(git, beside)) ?? '', before ?? '0'.repeat(commit.length)], OUR_NAME);
  } finally {
    await git(['update-ref', '-d', beside], OUR_NAME);
  }
}

export async function readNote({ git }: HistoryPlace, commit: string): Promise<string | null> {
  const known = await commitOf(git, commit);
  const note = known === null ? null : await noteOf(git, known);
  if (note === null) return null;
  const { code, stdout } = await git(['cat-file', 'blob', note]);
  return code === 0 ? stdout : null;
}

async function noteOf(git: Git, commit: string): Promise<string | null> {
  const { code, stdout } = await git(['notes', `--ref=${NOTES}`, 'list', commit]);
  return code === 0 ? stdout.trim() : null;
}

const commitOf = async (git: Git, name: string) => await idOf(git, `${name}^{commit}`);

async function idOf(git: Git, name: string): Promise<string | null> {
  const { code, stdout } = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', name]);
  return code === 0 ? stdout.trim() : null;
}
