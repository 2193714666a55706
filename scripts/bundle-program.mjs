// Bundles the program and the library for dist/. Commands share the chunks in dist/chunks; each command is loaded by its own dynamic import.
import { readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { build } from 'rolldown';
import { loadWhenCalled } from './load-when-called.mjs';

const common = {
  platform: 'node',
  logLevel: 'warn',
  treeshake: { moduleSideEffects: false },
  // A module that one command loads on demand may be a static import of another.
  checks: { ineffectiveDynamicImport: false },
  transform: { target: 'node20.19' },
};
const output = {
  format: 'cjs',
  strict: true,
  dynamicImportInCjs: false,
  comments: false,
  minify: { mangle: { keepNames: true }, compress: true, codegen: { removeWhitespace: true } },
};

/** The bin itself answers --version and --help. It shares no chunk, so that nothing else is read for them. */
const programApart = {
  name: 'program-apart',
  resolveId: (id) => (id.endsWith('/run-cli.ts') ? { id: './run-cli.js', external: true } : null),
};

/** Node starts CommonJS faster than modules. It takes its own modules from process.getBuiltinModule: a `require` would load everything a module exports, such as streams with fs. */
const takenFromNode = {
  name: 'taken-from-node',
  renderChunk: (code) =>
    code.replace(/\brequire\((["`'])(?:node:)?([\w/]+)\1\)/g, (all, _, name) =>
      isBuiltin(name) ? `globalThis.process.getBuiltinModule('node:${name}')` : all,
    ),
};

/** The parser can start programs for commands, which we do not use. */
const withoutPrograms = {
  name: 'without-programs',
  resolveId: (id, importer) => (id === 'node:child_process' && importer?.includes('/commander/') ? '\0nothing' : null),
  load: (id) => (id === '\0nothing' ? 'module.exports = {};' : null),
};

/**
 * What the small commands, git, a refused run and a continuing run load: each part is a list of modules and all their imports. A module that several parts load
 * is in one chunk with the others that exactly these parts load. Everything else is split automatically.
 */
const PARTS = {
  cli: ['cli/run-cli'],
  status: ['report/command/status'],
  list: ['runs/command/runs-list'],
  task: ['plans/command/task-changes'],
  complete: ['plans/tasks/complete-task'],
  git: ['workspace/git/git-cli'],
  run: ['recipes/run/command/run'],
  on: [
    'runs/begin-run',
    'runs/preflight/preflight',
    'runs/land-run',
    'runs/drive-run',
    'recipes/run/run',
    'report/console/recipe-screen',
    'report/terminal/paint',
    'report/views/align-rows',
  ],
};

function chunkByParts(source) {
  let parts = null;
  return (id, context) => {
    parts ??= Object.entries(PARTS).map(([part, names]) => [part, closureOf(names.map(source), context)]);
    const all = parts.filter(([, modules]) => modules.has(id)).map(([part]) => part);
    // A continuing run has already loaded what starts it.
    const loading = all.includes('run') ? all.filter((part) => part !== 'on') : all;
    if (loading.every((part) => part === 'on')) return null;
    if (loading.includes('cli')) return 'cli';
    return loading.join('-');
  };
}

function closureOf(ids, context) {
  for (const id of ids) if (context.getModuleInfo(id) === null) throw new Error(`There is no ${id} to make a part of.`);
  const found = new Set(ids);
  for (const id of found) for (const each of context.getModuleInfo(id)?.importedIds ?? []) found.add(each);
  return found;
}

export async function bundleProgram(root, dist) {
  const source = (name) => join(root, 'src', `${name}.ts`);
  const alone = (name, { plugins = [], format = 'cjs' } = {}) =>
    build({
      ...common,
      cwd: root,
      plugins: [...plugins, takenFromNode],
      input: source(name),
      output: { ...output, format, file: join(dist, `${name}.js`), codeSplitting: false },
    });
  const [program] = await Promise.all([
    build({
      ...common,
      cwd: root,
      // Only the workers of a fleet load it. It stays a package: its licences are in files of many names.
      external: ['pg'],
      plugins: [withoutPrograms, loadWhenCalled, takenFromNode],
      input: { 'cli/run-cli': source('cli/run-cli'), 'chunks/library': source('index') },
      preserveEntrySignatures: 'allow-extension',
      output: {
        ...output,
        dir: dist,
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name].js',
        codeSplitting: { groups: [{ name: chunkByParts(source), debugName: 'by parts' }], includeDependenciesRecursively: false },
      },
    }),
    alone('cli/main', { plugins: [programApart] }),
    alone('cli/demo/agent'),
    alone('proof/torture/agent', { format: 'esm' }),
  ]);
  for (const folder of ['cli', 'chunks']) writeFileSync(join(dist, folder, 'package.json'), '{ "type": "commonjs" }\n');
  writeFileSync(
    join(dist, 'index.js'),
    `import library from './chunks/library.js';\n\nexport const { ${exportsOfLibrary(program.output).join(', ')} } = library;\n`,
  );
  return Object.fromEntries(
    program.output.filter(({ type }) => type === 'chunk').map(({ fileName, moduleIds }) => [fileName, moduleIds.map((id) => relative(root, id))]),
  );
}

/** Without those that it has for other chunks: their names are short. */
function exportsOfLibrary(output) {
  const { exports = [] } = output.find(({ fileName }) => fileName === 'chunks/library.js') ?? {};
  return exports.filter((name) => name.length > 2).sort();
}

/** Every source file as its own module, for tests and benches that need internals. Not shipped. */
export async function compileModules(root, folder) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const packages = Object.keys({ ...dependencies, ...devDependencies });
  await build({
    ...common,
    cwd: root,
    input: [join(root, 'src/cli/run-cli.ts'), join(root, 'src/index.ts')],
    external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
    treeshake: false,
    output: { format: 'esm', dir: folder, preserveModules: true, preserveModulesRoot: join(root, 'src'), entryFileNames: '[name].js' },
  });
}
