import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { linkOnTheWay, readSourceFile, type SourceFile } from '../reading/source-file.ts';
import { splitTicket } from './front-matter.ts';

/** The tickets of a folder by their names, not those of folders in it. Files without front matter are no tickets. Null: there is no folder. */
export function ticketFiles(top: string, folder: string): readonly SourceFile[] | null {
  if (linkOnTheWay(top, folder) !== null) return wrongFolder(top, folder);
  const names = namesIn(join(top, folder));
  if (names === null) return wrongFolder(top, folder);
  return names.flatMap((name) => readSourceFile(top, `${folder}/${name}`) ?? []).filter(isTicket);
}

/** What cannot be read might be one, so it is told. */
function isTicket({ text }: SourceFile): boolean {
  return text === null || splitTicket(text) !== null;
}

/** A link or a file where the folder should be is told as what it is. */
function wrongFolder(top: string, folder: string): readonly SourceFile[] | null {
  const found = readSourceFile(top, folder);
  return found === null ? null : [{ ...found, text: null, why: found.why || 'it is not a folder' }];
}

function namesIn(folder: string): readonly string[] | null {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort();
  } catch {
    return null;
  }
}
