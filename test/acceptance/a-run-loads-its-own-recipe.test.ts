import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CLI, cleanEnv } from '../support/ralph.ts';
import { runBinary } from '../support/run-binary.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';

const CHUNKS = join(import.meta.dirname, '../../.cache/inside/chunks.json');

/** What other recipes and commands do. The words of all recipes (events, state, evolve, lines of the console) are shared. */
const OF_OTHERS = [
  /^src\/recipes\/(work|stories|supervise|job)\b/,
  /^src\/core\/rules\/(work|stories|supervise)\//,
  /^src\/wiring\/(work|tasks|jobs|answers|planning|init|library|verify|logs)\//,
  /^src\/wiring\/(stories|supervise)\/(open|start)-/,
  /^src\/adapters\/(plan|children|task-folder|bus)\//,
  /^src\/adapters\/sandbox\/docker\/open-docker-wall/,
  /^src\/cli\/(demo|init)\//,
  /^node_modules\/yaml\//,
];

/** The sources of every chunk that a process of the built program has loaded: node writes down what it ran. */
async function loadedBy(folder: string): Promise<ReadonlySet<string>> {
  const chunks: Readonly<Record<string, readonly string[]>> = JSON.parse(await readFile(CHUNKS, 'utf8'));
  const sources = new Set<string>();
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8'));
    for (const { url } of result) for (const source of chunks[url.split('/dist/')[1]] ?? []) sources.add(source);
  }
  return sources;
}

it('a plain run loads nothing of work, stories or supervise', async () => {
  await using folder = await openThrowAwayFolder();
  const env = cleanEnv(folder.path, { NODE_V8_COVERAGE: join(folder.path, 'ran') });
  const args = [CLI, 'run', '--agent', 'echo DONE', '-p', 'Do the work.', '--sandbox=guard'];
  const { code, stderr } = await runBinary({ file: process.execPath, args, cwd: folder.path, env, stdin: '', withinMs: 60_000 });
  expect(code, stderr).toBe(0);
  const loaded = [...(await loadedBy(join(folder.path, 'ran')))];
  expect(loaded).toContain('src/recipes/run/run.ts');
  expect(loaded.filter((source) => OF_OTHERS.some((pattern) => pattern.test(source)))).toEqual([]);
});
