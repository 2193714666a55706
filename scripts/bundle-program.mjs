// Bundles the program and the library for dist/. Commands share what lies in dist/chunks; each is loaded by its own dynamic import.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'rolldown';

const common = {
  platform: 'node',
  logLevel: 'warn',
  treeshake: { moduleSideEffects: false },
  transform: { target: 'node20.19' },
};
const output = { format: 'esm', comments: false, minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } } };

/** The bin alone answers --version and --help: it shares no chunk, so that nothing else is read for them. */
const programApart = {
  name: 'program-apart',
  resolveId: (id) => (id.endsWith('/run-cli.ts') ? { id: './run-cli.js', external: true } : null),
};

export async function bundleProgram(root, dist) {
  const source = (name) => join(root, 'src', `${name}.ts`);
  const alone = (name, plugins = []) =>
    build({ ...common, cwd: root, plugins, input: source(name), output: { ...output, file: join(dist, `${name}.js`), codeSplitting: false } });
  const [program] = await Promise.all([
    build({
      ...common,
      cwd: root,
      input: { 'cli/run-cli': source('cli/run-cli'), index: source('index') },
      output: { ...output, dir: dist, entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    }),
    alone('cli/main', [programApart]),
    alone('cli/demo/agent'),
  ]);
  return Object.fromEntries(
    program.output.filter(({ type }) => type === 'chunk').map(({ fileName, moduleIds }) => [fileName, moduleIds.map((id) => relative(root, id))]),
  );
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
