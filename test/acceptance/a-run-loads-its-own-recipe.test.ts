import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CLI, cleanEnv } from '../support/ralph.ts';
import { runBinary } from '../support/run-binary.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';

const CHUNKS = join(import.meta.dirname, '../../.cache/inside/chunks.json');

/** Code of other recipes and commands. Shared and not listed here: their options, the events, state and evolve of all recipes, the stories part of the run view, how a run is shown, and the name of a receipt file. */
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
  /^src\/web\//,
  /^src\/watch\//,
  /^node_modules\/hono\//,
  /^node_modules\/yaml\//,
];
const SHARED = /\/command\/(?:add-[a-z-]+|root-flags|shown-run)\.ts$|^src\/plans\/(?:review\/(?:next-)?turn|graph\/task-slug)\.ts$/;

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

async function sourcesOf(args: readonly string[]): Promise<readonly string[]> {
  const chunks: Chunks = JSON.parse(await readFile(CHUNKS, 'utf8'));
  await using folder = await openThrowAwayFolder();
  const env = cleanEnv(folder.path, { NODE_V8_COVERAGE: join(folder.path, 'ran') });
  await runBinary({ file: process.execPath, args: [CLI, ...args], cwd: folder.path, env, stdin: '', withinMs: 60_000 });
  return [...(await loadedBy(join(folder.path, 'ran'), chunks))];
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

  const loaded = await sourcesOf(['run', '--agent', 'echo DONE', '-p', 'Do the work.', '--sandbox=guard']);
  expect(loaded).toContain('src/recipes/run/run.ts');
  expect(loaded.filter((source) => !SHARED.test(source) && OF_OTHERS.some((pattern) => pattern.test(source)))).toEqual([]);
});

const FLAGS_AND_ZOD = /^src\/settings\/schema\/rows\/all-rows\.ts$|^node_modules\/zod\//;

it('the help, the version and ralph status load neither zod nor the flags of the settings', async () => {
  for (const args of [['--help'], ['--version'], ['status']])
    expect(
      (await sourcesOf(args)).filter((source) => FLAGS_AND_ZOD.test(source)),
      args[0],
    ).toEqual([]);
  // Proves that the pattern can match.
  expect(await sourcesOf(['run', '--help'])).toContain('src/settings/schema/rows/all-rows.ts');
});
