// Loaded with `node --import <this>?at=N&mode=M` before the built command line: the process kills itself with SIGKILL at line N of the first
// journal it writes. before: the line is never written. after: it is, and nothing else happens. torn: half of it is.
import { appendFile } from 'node:fs/promises';
import { register } from 'node:module';

const own = new URL(import.meta.url);
const JOURNAL = '/dist/adapters/journal/journal-file.js';

/** What the product gets when it asks for its journal: the real one, with this wrapper around it. */
const STAND_IN = `
import { openFileJournal as open } from REAL;
import { deadly } from ${JSON.stringify(own.href)};
export * from REAL;
export async function openFileJournal(path) { return deadly(await open(path), path); }
`;

const HOOKS = `
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  return found.url.endsWith(${JSON.stringify(JOURNAL)}) ? { ...found, url: found.url + '?stand-in' } : found;
}
export async function load(url, context, next) {
  if (!url.endsWith(${JSON.stringify(`${JOURNAL}?stand-in`)})) return await next(url, context);
  const real = JSON.stringify(url.replace('?stand-in', '?real'));
  return { format: 'module', shortCircuit: true, source: ${JSON.stringify(STAND_IN)}.replaceAll('REAL', real) };
}
`;

const [at, mode] = [Number(own.searchParams.get('at')), own.searchParams.get('mode')];

export function deadly(journal, path) {
  return {
    past: journal.past,
    close: () => journal.close(),
    async append(event, durable) {
      if (event.seq !== at) return await journal.append(event, durable);
      if (mode === 'after') await journal.append(event, durable);
      if (mode === 'torn') await appendFile(path, halfOf(event));
      process.kill(process.pid, 'SIGKILL');
    },
  };
}

function halfOf({ v, seq, at: atMs, body }) {
  const line = JSON.stringify({ v, seq, at: atMs, ...body });
  return line.slice(0, Math.ceil(line.length / 2));
}

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
