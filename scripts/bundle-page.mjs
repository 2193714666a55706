// Bundles the page of `ralph ui` into dist/web: its script, the worker that lays graphs out, and the files that are shipped as they are.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'rolldown';

const SCRIPTS = { 'app.js': 'main.tsx', 'graph-worker.js': 'graph-worker.ts' };
/** In the order in which they win over each other, the last one most. */
const STYLES = ['colours', 'base', 'parts', 'strip', 'columns', 'centre', 'graph', 'history', 'right', 'tell', 'past', 'small-screens'];

/** Returns the modules of each file, for the licences. */
export async function bundlePage(root, folder) {
  const client = join(root, 'src', 'web', 'client');
  mkdirSync(folder, { recursive: true });
  const built = await Promise.all(
    Object.entries(SCRIPTS).map(([file, source]) =>
      build({
        platform: 'browser',
        logLevel: 'warn',
        cwd: root,
        input: join(client, source),
        transform: { target: 'es2022' },
        output: { format: 'esm', file: join(folder, file), codeSplitting: false, comments: false, minify: true },
      }),
    ),
  );
  for (const name of ['index.html', 'icon.svg']) copyFileSync(join(client, name), join(folder, name));
  const styles = STYLES.map((name) => readFileSync(join(client, 'styles', `${name}.css`), 'utf8'));
  writeFileSync(join(folder, 'app.css'), withoutSpace(styles.join('\n')));
  return built.flatMap(({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds.map((id) => relative(root, id))));
}

function withoutSpace(css) {
  return css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(': ', ':')
    .trim();
}
