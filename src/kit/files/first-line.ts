import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** The first line of a file, however long the rest of it is; empty for an empty one. Rejects when it cannot be read. */
export async function firstLine(path: string): Promise<string> {
  const file = createReadStream(path, 'utf8');
  try {
    for await (const line of createInterface({ input: file, crlfDelay: Number.POSITIVE_INFINITY })) return line;
    return '';
  } finally {
    file.destroy();
  }
}
