// Loaded with `node --import <this>?at=N&mode=M` before the built command line: the process kills itself with SIGKILL at line N of its
// journal, or at the first line it writes of that name (`commit.made`, `effect.begun run-gates clean`). before: the line is never written. after: it is, and nothing else happens. torn: half of it is.
// It relies only on the name journal.jsonl and on appends, so it works with any build.
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { searchParams } = new URL(import.meta.url);
const [at, mode] = [searchParams.get('at'), searchParams.get('mode')];
/** Long enough for an agent to start and be noticed, if it were started before its intent is in the file. */
const heldBackMs = Number(searchParams.get('held') ?? 0);

function isThere({ seq, type, effect, where }) {
  const name = [type, effect?.kind, effect?.where ?? where].filter(Boolean).join(' ');
  return at === String(seq) || `${name} `.startsWith(`${at} `);
}

const { open } = files;
files.open = async (path, ...rest) => {
  const handle = await open(path, ...rest);
  if (!String(path).endsWith('/journal.jsonl')) return handle;
  const append = handle.appendFile.bind(handle);
  handle.appendFile = async (text) => {
    if (!isThere(JSON.parse(String(text)))) return await append(text);
    if (heldBackMs > 0) await new Promise((resolve) => setTimeout(resolve, heldBackMs));
    if (mode === 'after') await append(text);
    if (mode === 'torn') await append(text.subarray(0, Math.ceil(text.length / 2)));
    process.kill(process.pid, 'SIGKILL');
  };
  return handle;
};
syncBuiltinESMExports();
