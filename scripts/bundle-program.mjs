// Bundles the program and the library for dist/. Commands share what lies in dist/chunks; each is loaded by its own dynamic import.
import { readFileSync } from 'node:fs';
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
const output = { format: 'esm', comments: false, minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } } };

/** The bin alone answers --version and --help: it shares no chunk, so that nothing else is read for them. */
const programApart = {
  name: 'program-apart',
  resolveId: (id) => (id.endsWith('/run-cli.ts') ? { id: './run-cli.js', external: true } : null),
};

/** The parser can start programs for commands, which ours does not: loading what starts them takes longer than parsing. */
const noProcessesInTheParser = {
  name: 'no-processes-in-the-parser',
  resolveId: (id, importer) => (id === 'node:child_process' && importer?.includes('/node_modules/commander/') ? '\0nothing' : null),
  load: (id) => (id === '\0nothing' ? 'export default {};' : null),
};

/**
 * What the small commands, a run that is refused and a run that goes on load: each part is a list of modules and all they import. A module that several parts load
 * lies in a chunk with the others that just these load, so that each loads a few files and nothing it does not need. All else is split as it comes.
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
    const loading = parts.filter(([, modules]) => modules.has(id)).map(([part]) => part);
    if (besideTheLibrary.has(id)) return 'beside-the-library';
    if (loading.every((part) => part === 'on')) return null;
    return loading.includes('cli') ? 'cli' : loading.join('-');
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
    build({ ...common, cwd: root, plugins, input: source(name), output: { ...output, file: join(dist, `${name}.js`), codeSplitting: false } });
  const [program] = await Promise.all([
    build({
      ...common,
      cwd: root,
      plugins: [noProcessesInTheParser],
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
