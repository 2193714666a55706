// Bundles the program and the library for dist/. Commands share what lies in dist/chunks; each is loaded by its own dynamic import.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { build } from 'rolldown';

const common = {
  platform: 'node',
  logLevel: 'warn',
  treeshake: { moduleSideEffects: false },
  // What one command loads when it needs it, another may have from the start.
  checks: { ineffectiveDynamicImport: false },
  transform: { target: 'node20.19' },
};
const output = { format: 'esm', comments: false, minify: { mangle: { keepNames: true }, compress: true, codegen: { removeWhitespace: true } } };

/** The bin alone answers --version and --help: it shares no chunk, so that nothing else is read for them. */
const programApart = {
  name: 'program-apart',
  resolveId: (id) => (id.endsWith('/run-cli.ts') ? { id: './run-cli.js', external: true } : null),
};

/** What Node has is taken from it directly: an import would load all that a module of Node can give, such as streams with its files. */
const takenFromNode = {
  name: 'taken-from-node',
  renderChunk: (code) =>
    code.replace(
      /^import (\{[^}]*\}) from "(node:[^"]+)";$/gm,
      (_, names, from) => `const ${names.replaceAll(' as ', ': ')} = process.getBuiltinModule("${from}");`,
    ),
};

/**
 * What packages require of Node they are handed: to load what makes a `require` takes as long as the whole parser does. The parser can start programs for
 * commands, which ours does not: what starts them is left out.
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
 * What the small commands, a run that is refused and a run that goes on load: each part is a list of modules and all they import. A module that several parts load
 * lies in a chunk with the others that just these load; what three or more load is one chunk, since a file costs more than the few lines that one of them would not need.
 * All else is split as it comes.
 */
const PARTS = {
  cli: ['cli/run-cli'],
  status: ['report/command/status'],
  list: ['runs/command/runs-list'],
  task: ['plans/command/task-deeds'],
  run: ['recipes/run/command/run'],
  on: ['runs/go-on', 'recipes/run/run', 'report/console/recipe-screen', 'report/terminal/paint', 'report/views/table-lines'],
};

function chunkByParts(source) {
  // Else it would come to lie in the library itself, which would have to export it.
  const besideTheLibrary = new Set([source('recipes/supervise/bus-posts-of-a-life')]);
  let parts = null;
  return (id, context) => {
    parts ??= Object.entries(PARTS).map(([part, names]) => [part, closureOf(names.map(source), context)]);
    const all = parts.filter(([, modules]) => modules.has(id)).map(([part]) => part);
    // A run that goes on has loaded what starts it.
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

/** What chunks want of each other must not become part of the library. */
function refuseMoreExports(output) {
  const { exports = [] } = output.find(({ fileName }) => fileName === 'index.js') ?? {};
  const short = exports.filter((name) => name.length < 3);
  if (short.length > 0) throw new Error(`dist/index.js would export ${short.join(', ')} for other chunks; give what they need a chunk of its own.`);
}

/** Every source file as a module of its own, for the tests and benches that look inside. Not shipped. */
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
