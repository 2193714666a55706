import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CLI, cleanEnv } from '../support/ralph.ts';
import { runBinary } from '../support/run-binary.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';

const CHUNKS = join(import.meta.dirname, '../../.cache/inside/chunks.json');

/** Code of other recipes and commands. Shared and not listed here: their options, the events, state and evolve of all recipes, the stories part of the run view, and the name of a receipt file. */
const OF_OTHERS = [
  /^src\/recipes\/work\//,
  /^src\/recipes\/review\//,
  /^src\/recipes\/supervise\//,
  /^src\/plans\//,
  /^src\/people\/bus\//,
  /^src\/people\/answers\//,
  /^src\/proof\/verify\//,
  /^src\/sandbox\/docker\//,
  /^src\/library\//,
  /^src\/cli\/demo\//,
  /^src\/cli\/init\//,
  /^node_modules\/yaml\//,
];
const SHARED = /\/command\/(?:add-[a-z-]+|root-flags)\.ts$|^src\/plans\/(?:review\/(?:next-)?turn|graph\/task-slug)\.ts$/;

type Chunks = Readonly<Record<string, readonly string[]>>;

/** The sources of every chunk that a process of the built program has loaded, from node's coverage output. */
async function loadedBy(folder: string, chunks: Chunks): Promise<ReadonlySet<string>> {
  const sources = new Set<string>();
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8'));
    for (const { url } of result) for (const source of chunks[url.split('/dist/')[1]] ?? []) sources.add(source);
  }
  return sources;
}

it('a plain run loads nothing of work, stories or supervise', async () => {
  const chunks: Chunks = JSON.parse(await readFile(CHUNKS, 'utf8'));
  const built = Object.values(chunks).flat();
  // Proves that the patterns can match.
  for (const pattern of OF_OTHERS)
    expect(
      built.some((source) => pattern.test(source)),
      String(pattern),
    ).toBe(true);

  await using folder = await openThrowAwayFolder();
  const env = cleanEnv(folder.path, { NODE_V8_COVERAGE: join(folder.path, 'ran') });
  const args = [CLI, 'run', '--agent', 'echo DONE', '-p', 'Do the work.', '--sandbox=guard'];
  const { code, stderr } = await runBinary({ file: process.execPath, args, cwd: folder.path, env, stdin: '', withinMs: 60_000 });
  expect(code, stderr).toBe(0);
  const loaded = [...(await loadedBy(join(folder.path, 'ran'), chunks))];
  expect(loaded).toContain('src/recipes/run/run.ts');
  expect(loaded.filter((source) => !SHARED.test(source) && OF_OTHERS.some((pattern) => pattern.test(source)))).toEqual([]);
});
