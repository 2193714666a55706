// Bundles the program and the library for dist/. Commands share the chunks in dist/chunks; each command is loaded by its own dynamic import.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { build } from 'rolldown';

const common = {
  platform: 'node',
  logLevel: 'warn',
  treeshake: { moduleSideEffects: false },
  // A module that one command loads on demand may be a static import of another.
  checks: { ineffectiveDynamicImport: false },
  transform: { target: 'node20.19' },
};
const output = { format: 'esm', comments: false, minify: { mangle: { keepNames: true }, compress: true, codegen: { removeWhitespace: true } } };

/** The bin itself answers --version and --help. It shares no chunk, so that nothing else is read for them. */
const programApart = {
  name: 'program-apart',
  resolveId: (id) => (id.endsWith('/run-cli.ts') ? { id: './run-cli.js', external: true } : null),
};

/** Uses Node's modules through process.getBuiltinModule: an import would load everything a module exports, such as streams with fs. */
const takenFromNode = {
  name: 'taken-from-node',
  renderChunk: (code) =>
    code.replace(
      /^import (\{[^}]*\}) from "(node:[^"]+)";$/gm,
      (_, names, from) => `const ${names.replaceAll(' as ', ': ')} = process.getBuiltinModule("${from}");`,
    ),
};

/**
 * Gives packages the Node modules that they require: creating a `require` takes as long as loading the whole parser. The parser can start programs for
 * commands, which we do not use, so that part is left out.
 */
const noRequire = {
  name: 'no-require',
  resolveId(id, importer, { kind }) {
    if (importer === '\0rolldown/runtime.js' || (kind === 'require-call' && isBuiltin(id))) return `\0handed ${id}`;
    return null;
  },
  load(id) {
    const [, name] = /^\0handed (.*)/.exec(id) ?? [];
    if (name === undefined) return null;
    if (name === 'node:module') return 'export const createRequire = null;';
    return name === 'node:child_process' ? 'module.exports = {};' : `module.exports = process.getBuiltinModule('${name}');`;
  },
};

/**
 * What the small commands, a refused run and a continuing run load: each part is a list of modules and all their imports. A module that several parts load
 * is in one chunk with the others that exactly these parts load. Modules of three or more parts are one chunk, because a file costs more than a few unneeded lines.
 * Everything else is split automatically.
 */
const PARTS = {
  cli: ['cli/run-cli'],
  status: ['report/command/status'],
  list: ['runs/command/runs-list'],
  task: ['plans/command/task-changes'],
  run: ['recipes/run/command/run'],
  on: ['runs/drive-run', 'recipes/run/run', 'report/console/recipe-screen', 'report/terminal/paint', 'report/views/align-rows'],
};

function chunkByParts(source) {
  // Otherwise it would be part of the library, which would have to export it.
  const besideTheLibrary = new Set([source('recipes/supervise/bus-posts-of-an-attempt')]);
  let parts = null;
  return (id, context) => {
    parts ??= Object.entries(PARTS).map(([part, names]) => [part, closureOf(names.map(source), context)]);
    const all = parts.filter(([, modules]) => modules.has(id)).map(([part]) => part);
    // A continuing run has already loaded what starts it.
    const loading = all.includes('run') ? all.filter((part) => part !== 'on') : all;
    if (besideTheLibrary.has(id)) return 'beside-the-library';
    if (loading.every((part) => part === 'on')) return null;
    if (loading.includes('cli')) return 'cli';
    return loading.length > 2 ? 'shared' : loading.join('-');
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
  const alone = (name, plugins = []) =>
    build({
      ...common,
      cwd: root,
      plugins: [...plugins, takenFromNode],
      input: source(name),
      output: { ...output, file: join(dist, `${name}.js`), codeSplitting: false },
    });
  const [program] = await Promise.all([
    build({
      ...common,
      cwd: root,
      // Only the workers of a fleet load it. It stays a package: its licences are in files of many names.
      external: ['pg'],
      plugins: [noRequire, takenFromNode],
      input: { 'cli/run-cli': source('cli/run-cli'), index: source('index') },
      preserveEntrySignatures: 'allow-extension',
      output: {
        ...output,
        dir: dist,
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name].js',
        codeSplitting: { groups: [{ name: chunkByParts(source), debugName: 'by parts' }], includeDependenciesRecursively: false },
      },
    }),
    alone('cli/main', [programApart]),
    alone('cli/demo/agent'),
    alone('proof/torture/agent'),
  ]);
  refuseMoreExports(program.output);
  return Object.fromEntries(
    program.output.filter(({ type }) => type === 'chunk').map(({ fileName, moduleIds }) => [fileName, moduleIds.map((id) => relative(root, id))]),
  );
}

/** Exports between chunks must not become exports of the library. */
function refuseMoreExports(output) {
  const { exports = [] } = output.find(({ fileName }) => fileName === 'index.js') ?? {};
  const short = exports.filter((name) => name.length < 3);
  if (short.length > 0) throw new Error(`dist/index.js would export ${short.join(', ')} for other chunks; give what they need a chunk of its own.`);
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
