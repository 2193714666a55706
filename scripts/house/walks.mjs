// How many source files one iteration of `ralph run` uses, and how many a command loads.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { coverageOf } from './coverage.mjs';
import { crossingsIn } from './source-tree.mjs';

/** V8's name for the top-level code of a module, which runs when it is loaded. */
const wholeModule = '@0';

/** Calls back with a repository that has one commit, and an agent that prints a word and exits. */
function inRepository(work) {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-house-'));
  try {
    const [repo, agent] = [join(folder, 'repo'), join(folder, 'agent')];
    mkdirSync(repo);
    writeFileSync(agent, '#!/bin/sh\ncat >/dev/null\necho working\n', { mode: 0o755 });
    const commit = 'git -c user.name=h -c user.email=h@example.com commit -qm start --allow-empty';
    spawnSync('sh', ['-c', `git init -q . && ${commit}`], { cwd: repo, stdio: 'ignore' });
    return work(repo, ['run', '-p', 'work', '--agent', agent, '--guardrail', 'exit 1', '-q', '-m']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The walk: every source file of which a function runs in a run of two iterations with a red guardrail, from the start of the program to its
 * end; of a further iteration, those of which one runs more often than in a run of one. A change of room is an import from one of these
 * files to another of them in another top folder.
 */
export function walkFigures(root, files) {
  const cache = join(root, '.cache', 'inside', 'src');
  const entry = join(cache, files.find(({ path }) => path.endsWith('/run-cli.ts')).path.replace(/\.ts$/, '.js'));
  const start = `const { runCli } = await import(${JSON.stringify(pathToFileURL(entry).href)}); process.exit(await runCli(process.argv.slice(1)));`;
  const [once, twice] = inRepository((cwd, run) =>
    ['1', '2'].map((times) => coverageOf(['--input-type=module', '-e', start, '--', ...run, times], { cwd, under: cache })),
  );
  const walk = (before) => {
    const more = ([path, counts]) => [...counts].some(([where, ran]) => ran > (before.get(path)?.get(where) ?? 0) && where !== wholeModule);
    const paths = new Set([...twice].filter(more).map(([path]) => relative(cache, path).replace(/\.js$/, '.ts')));
    const walked = files.filter(({ path }) => paths.has(path));
    return { files: walked.length, changes: crossingsIn(walked.map((file) => ({ ...file, imports: file.imports.filter((to) => paths.has(to)) }))).length };
  };
  const [all, further] = [walk(new Map()), walk(once)];
  return [
    { name: 'files a run walks through', value: `${all.files}, a further iteration ${further.files}`, goal: '', isMet: true },
    { name: 'changes of room on that walk', value: `${all.changes}, a further iteration ${further.changes}`, goal: '', isMet: true },
  ];
}

const commands = { '--version': ['--version'], '--help': ['--help'], status: ['status'] };
/** The option files of all commands are needed to find the called command. */
const ofOtherRecipes = /^(?!src\/cli\/).*\b(work|stories|supervise)\//;

/** The source files that the built program loads, by the list of sources of each chunk; a file that is not in the list counts as one. */
export function loadFigures(root) {
  const dist = join(root, 'dist');
  const cli = join(dist, 'cli', 'main.js');
  if (!existsSync(cli)) return [{ name: 'source files loaded', value: 'not built', goal: '', isMet: true }];
  const list = join(root, '.cache', 'inside', 'chunks.json');
  const chunks = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
  const sourcesIn = (path) => (chunks[relative(dist, path)] ?? [`src/${relative(dist, path)}`]).filter((source) => source.startsWith('src/'));
  return inRepository((cwd, run) =>
    Object.entries({ ...commands, run: [...run, '1'] }).flatMap(([name, args]) => {
      const loaded = [...coverageOf([cli, ...args], { cwd, under: dist }).keys()];
      const sources = loaded.flatMap(sourcesIn);
      const row = { name: `source files in ralph ${name}`, value: `${sources.length}, in ${loaded.length} files of dist`, goal: '', isMet: true };
      const others = sources.filter((source) => ofOtherRecipes.test(source));
      return name === 'run'
        ? [row, { name: '  of them of work, stories, supervise', value: others.join(', ') || 'none', goal: 'none', isMet: others.length === 0 }]
        : [row];
    }),
  );
}
