import { choosesOf } from '../read-configuration.ts';
import { folderOf, importsOf, indexOf, isProduct, isWithin, type Repository, readText, resolvePath } from '../repository.ts';
import { programName, type Started, startedBy } from '../tools/all-tools.ts';
import type { Tool } from '../tools/tool.ts';
import { fileAt, filesFor, globOf, noteMeasures, noteNamed } from './measures.ts';
import { followPackageScript, followScriptEverywhere, followScriptsHere } from './npm-scripts.ts';
import { isProductProgram, isTestProgram, unwrap } from './programs.ts';
import { followRecipes } from './recipes.ts';
import { calledWith, type ShellCommand, shellCommands } from './shell-commands.ts';
import { DEEPEST, type Place, type Trail } from './trail.ts';

/** Everything that a gate's command leads to, as far as its scripts can be read. It never fails and never loops for ever. */
export async function followGate(command: string, cwd: string, repository: Repository): Promise<Trail> {
  const trail: Trail = {
    repository,
    index: indexOf(repository.paths),
    starts: [],
    named: new Map(),
    bare: new Set(),
    measures: new Set(),
    compared: new Set(),
    written: new Set(),
    globs: { run: new Set(), measured: new Set(), made: new Set() },
    onPath: new Set(),
    functions: new Map(),
    seen: new Set(),
    hasUnknown: false,
    choosesTests: false,
    budget: 5_000,
  };
  await followLine(trail, command, { cwd, depth: 0 });
  return trail;
}

async function followLine(trail: Trail, line: string, place: Place, script = ''): Promise<void> {
  const key = `${place.cwd}\0${line}`;
  if (place.depth > DEEPEST || trail.seen.has(key)) return;
  trail.seen.add(key);
  const { commands, meetings, writes } = shellCommands(line, place.cwd, script, trail.functions);
  for (const command of commands) await followCommand(trail, command, place);
  const kept = new Set(commands.filter(({ isKept }) => isKept).map(({ meeting }) => meeting));
  for (const meeting of meetings) noteMeasures(trail, meeting, kept.has(meeting));
  for (const { word, cwd } of writes) for (const path of filesFor(trail, cwd, word)) trail.written.add(path);
}

async function followCommand(trail: Trail, command: ShellCommand, { cwd, depth }: Place): Promise<void> {
  trail.budget -= 1;
  if (trail.budget < 0) return;
  const place = { cwd: command.cwd ?? cwd, depth };
  const { words, assigned } = unwrap(command.words, programName);
  noteVariables(trail, place.cwd, new Map([...command.variables, ...assigned.map((each) => each.split(/=(.*)/s, 2) as [string, string])]));
  if (words.length === 0 || (await followNested(trail, words, place))) return;
  const use = { isCompared: command.meeting.compares, isKept: command.isKept };
  const started = startedBy(words);
  if (started === null) return followProgram(trail, words, { ...place, ...use });
  const { tool } = started;
  noteProgram(trail, words[0] ?? '', place.cwd);
  if (tool.name === 'node' || tool.name === 'python') return followInterpreter(trail, started, { ...place, ...use });
  if (tool.name === 'shell' && (await isProductScript(trail, started.rest, { ...place, ...use }))) return;
  trail.starts.push({ tool, cwd: place.cwd, rest: started.rest });
  noteNamed(trail, { tool, cwd: place.cwd, rest: started.rest });
  await followLauncher(trail, tool, { program: programName(words[0] ?? ''), rest: started.rest, place });
}

/** Where a program is called, and what happens to its output. */
interface Use extends Place {
  readonly isCompared: boolean;
  readonly isKept: boolean;
}

/** `node x.js` and `python3 x.py`, also with the files of a loop: each is a test, a script that leads to others, or the product. */
async function followInterpreter(trail: Trail, { tool, rest }: Started, use: Use): Promise<void> {
  const first = rest.find((word) => !word.startsWith('-')) ?? '';
  const others = rest.filter((word) => word !== first);
  const before = trail.starts.length;
  const tests: string[] = [];
  for (const path of filesFor(trail, use.cwd, first)) if (await isTestAt(trail, path, use)) tests.push(path);
  const up = use.cwd === '' ? '' : use.cwd.replace(/[^/]+/g, '..').concat('/');
  trail.starts.splice(before, 0, { tool, cwd: use.cwd, rest: [...tests.map((path) => up + path), ...others] });
  noteNamed(trail, { tool, cwd: use.cwd, rest: others });
  for (const path of tests) {
    if (!trail.named.has(path)) trail.named.set(path, 'test');
    trail.bare.add(path);
  }
  const glob = tests.length > 0 ? globOf(use.cwd, first) : null;
  if (glob !== null) trail.globs.run.add(glob);
}

/** A script that names a runner is a part of the gate too, and is followed. */
async function isTestAt(trail: Trail, path: string, use: Use): Promise<boolean> {
  const isTest = isTestProgram({ path, text: (await readText(trail.repository, path)) ?? '', ...use }, trail);
  if (!isTest && (isProduct(path) || use.isCompared || use.isKept)) return false;
  const before = trail.starts.length;
  await followMentions(trail, path, use);
  return isTest || trail.starts.length > before;
}

/** `sh greet.sh Ann | diff - expected.txt` runs the product, not a script of the gate. */
async function isProductScript(trail: Trail, rest: readonly string[], use: Use): Promise<boolean> {
  if (rest.some((word) => /^-\w*[cn]/.test(word))) return false;
  return isProductAt(trail, fileAt(trail, use.cwd, rest.find((word) => !/^[-+]/.test(word)) ?? ''), use);
}

async function isProductAt(trail: Trail, path: string | null, use: Use): Promise<boolean> {
  const text = path === null ? null : await readText(trail.repository, path);
  return path !== null && text !== null && isProductProgram({ path, text, ...use });
}

/** Notes PATH, and the variables that make a program load a file or choose tests. */
function noteVariables(trail: Trail, cwd: string, variables: ReadonlyMap<string, string>): void {
  const folders = (variables.get('PATH') ?? '').split(':').filter((part) => part !== '' && !part.includes('$') && !part.includes('node_modules'));
  for (const folder of folders.map((part) => resolvePath(cwd, part))) if (folder) trail.onPath.add(folder);
  if (choosesOf((variables.get('PYTEST_ADDOPTS') ?? '').split(/\s+/))) trail.choosesTests = true;
  const words = loadingVariables.flatMap((name) => (variables.get(name) ?? '').split(/[\s=]+/)).filter((word) => word !== '' && !word.startsWith('-'));
  for (const path of words.map((word) => fileAt(trail, cwd, word))) if (path !== null) trail.named.set(path, 'configuration');
}

const loadingVariables = ['NODE_OPTIONS', 'BASH_ENV', 'ENV', 'PYTHONSTARTUP', 'PYTEST_ADDOPTS', 'RUBYOPT'];

/** `sh -c "…"`, `eval`, `concurrently`, `npm-run-all`: command lines within a word. Returns false for any other program. */
async function followNested(trail: Trail, words: readonly string[], place: Place): Promise<boolean> {
  const [first = '', ...rest] = words;
  const follow = (line: string, at: Place) => followLine(trail, line, at);
  const plain = rest.filter((word) => !word.startsWith('-'));
  switch (programName(first)) {
    case 'eval':
      await follow(rest.join(' '), place);
      return true;
    case 'concurrently':
      for (const line of plain) await (line.startsWith('npm:') ? followScriptsHere([line.slice(4)], place, { trail, follow }) : follow(line, place));
      return true;
    case 'npm-run-all':
    case 'run-s':
    case 'run-p':
      await followScriptsHere(plain, place, { trail, follow });
      return true;
    case 'source':
    case '.':
      await followScriptFile(trail, fileAt(trail, place.cwd, rest[0] ?? ''), place);
      return true;
    default:
      return false;
  }
}

interface Launch {
  readonly program: string;
  readonly rest: readonly string[];
  readonly place: Place;
}

/** Follows a launcher to what it starts. */
async function followLauncher(trail: Trail, tool: Tool, { program, rest, place }: Launch): Promise<void> {
  const follow = (line: string, at: Place) => followLine(trail, line, at);
  const way = { trail, follow };
  const name: string = tool.name;
  switch (name) {
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
      // `yarn vitest` and `pnpm vitest` start a program if there is no such script.
      if (!(await followPackageScript(program, rest, place, way)) && rest.length > 0) await followBinary(trail, rest, place);
      return;
    case 'turbo':
    case 'nx':
      for (const task of rest.filter((word) => !word.startsWith('-') && !/^(?:run|run-many|affected|exec)$/.test(word)))
        await followScriptEverywhere(task, place, way);
      for (const tasks of rest.flatMap((word, at) => (/^(?:-t|--targets?)$/.test(word) ? [rest[at + 1] ?? ''] : []))) {
        for (const task of tasks.split(',')) await followScriptEverywhere(task, place, way);
      }
      return;
    case 'make':
    case 'just':
      return followRecipes(name, rest, place, way);
    case 'shell':
      return followShell(trail, rest, place);
    case 'docker':
      // Commands in a container are not followed.
      trail.hasUnknown = true;
      return;
    case 'tox':
      return followTox(trail, place);
    case 'nox':
      return followMentions(trail, fileAt(trail, place.cwd, 'noxfile.py'), place);
    default:
  }
}

/** `yarn jest`, `pnpm run -s vitest`: the first word that is not an option is the program. */
async function followBinary(trail: Trail, rest: readonly string[], place: Place): Promise<void> {
  const at = rest.findIndex((word) => !word.startsWith('-') && word !== 'run');
  const words = at === -1 ? [] : rest.slice(at);
  const started = startedBy(words);
  if (started === null || started.tool.name === 'npm') return;
  trail.starts.push({ tool: started.tool, cwd: place.cwd, rest: started.rest });
  noteNamed(trail, { tool: started.tool, cwd: place.cwd, rest: started.rest });
}

async function followShell(trail: Trail, rest: readonly string[], place: Place): Promise<void> {
  // `sh -n` only parses a script.
  if (rest[0] === '-n') return;
  const isLine = rest.some((word) => /^-\w*c\w*$/.test(word));
  const first = rest.find((word, at) => !/^[-+]/.test(word) && !/^[-+]o$/.test(rest[at - 1] ?? ''));
  if (first === undefined) return;
  if (isLine) await followLine(trail, first, place);
  else for (const path of filesFor(trail, place.cwd, first)) await followScriptFile(trail, path, place);
}

/** Programs that read only what they are given and nothing else of the project. */
const harmless = new Set(
  'test [ [[ true false : echo printf cat ls grep egrep rg diff cmp jq yq sed awk head tail wc sort uniq tr cut cd pushd popd pwd set export unset local readonly declare trap wait sleep mkdir rm cp mv touch chmod find git exit return shift read which type ulimit umask date tee kill'.split(
    ' ',
  ),
);

/** A script of this project that is started by its path or through PATH, or an unknown program. */
async function followProgram(trail: Trail, words: readonly string[], place: Use): Promise<void> {
  const [first = '', ...rest] = words;
  const body = trail.functions.get(first);
  if (body !== undefined) return followLine(trail, calledWith(body, rest), { ...place, depth: place.depth + 1 });
  if (await isProductAt(trail, programAt(trail, first, place.cwd), place)) return;
  const path = noteProgram(trail, first, place.cwd);
  if (path !== null) return followScriptFile(trail, path, place);
  if (harmless.has(first)) return;
  trail.hasUnknown = true;
  noteNamed(trail, { tool: null, cwd: place.cwd, rest });
}

/** The file of this project that is started, noted as a decider; null for a program from outside. */
function noteProgram(trail: Trail, word: string, cwd: string): string | null {
  const path = programAt(trail, word, cwd);
  if (path !== null) trail.named.set(path, 'configuration');
  return path;
}

function programAt(trail: Trail, word: string, cwd: string): string | null {
  const inFolders = word.includes('/') ? [resolvePath(cwd, word)] : [...trail.onPath].map((folder) => `${folder}/${word}`);
  return inFolders.find((each) => each !== null && trail.index.files.has(each)) ?? null;
}

async function followScriptFile(trail: Trail, path: string | null, place: Place): Promise<void> {
  const text = path === null ? null : await readText(trail.repository, path);
  if (path === null || text === null) return;
  trail.named.set(path, 'configuration');
  const isShell = /^#![^\n]*sh\b/.test(text) || (!text.startsWith('#!') && !/\.(?:js|cjs|mjs|ts|py|rb|pl|php)$/.test(path));
  if (isShell) await followLine(trail, text, { cwd: place.cwd, depth: place.depth + 1 }, path);
  else await followMentions(trail, path, place);
}

/**
 * A script in another language is not interpreted: every runner that it names in quotes counts as one that it starts, also in what it imports from its own
 * folder.
 */
async function followMentions(trail: Trail, path: string | null, { cwd, depth }: Place): Promise<void> {
  const text = path === null || depth > DEEPEST || trail.seen.has(path) ? null : await readText(trail.repository, path);
  if (path === null || text === null) return;
  trail.seen.add(path);
  for (const tool of text.split('\n').flatMap(mentionedIn)) trail.starts.push({ tool, cwd, rest: [] });
  const folder = folderOf(path);
  const parts = folder === '' || isProduct(path) ? [] : importsOf(text, folder, trail.index).filter((each) => isWithin(each, folder) && !isProduct(each));
  for (const part of parts) {
    if (!trail.named.has(part)) trail.named.set(part, 'configuration');
    await followMentions(trail, part, { cwd, depth: depth + 1 });
  }
}

function mentionedIn(line: string): readonly Tool[] {
  const quoted = line.length > 2_000 ? [] : [...line.matchAll(/'([^'\\]*)'|"([^"\\]*)"|`([^`\\]*)`/g)];
  const words = quoted.flatMap(([, one, two, three]) => (one ?? two ?? three ?? '').split(/\s+/));
  return words.map((_, at) => startedBy(words.slice(at))?.tool).filter((tool) => tool !== undefined && isPlainRunner(tool)) as readonly Tool[];
}

/** Excludes tools whose names are common words, and launchers. */
const isPlainRunner = ({ name, tests, suppressions }: Tool) => name !== 'ava' && (tests.length > 0 || suppressions !== undefined);

async function followTox(trail: Trail, place: Place): Promise<void> {
  for (const name of ['tox.ini', 'setup.cfg', 'tox.toml', 'pyproject.toml']) {
    const path = fileAt(trail, place.cwd, name);
    const text = path === null ? null : await readText(trail.repository, path);
    if (text === null) continue;
    const blocks = [...text.matchAll(/^commands(?:_pre|_post)?[ \t]*=(.*(?:\r?\n[ \t]+\S.*)*)/gm)].map(([, block = '']) => block.replace(/\{[^{}\n]*\}/g, ''));
    for (const block of blocks) await followLine(trail, block.replace(/^[ \t-]+/gm, ''), { ...place, depth: place.depth + 1 });
  }
}
