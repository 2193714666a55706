// Builds dist/: bundles, types, and what is derived from the built program. Prints nothing on success. --program skips the types, which take longest.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePage } from './bundle-page.mjs';
import { bundleProgram, compileModules } from './bundle-program.mjs';
import { pruneTypes } from './prune-types.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [dist, inside] = [join(root, 'dist'), join(root, '.cache', 'inside')];
const cli = join(dist, 'cli');

// Otherwise the output of a renamed source file would be published.
for (const folder of [dist, inside]) rmSync(folder, { recursive: true, force: true });
const types = process.argv.includes('--program') ? Promise.resolve() : declareTypes();
const [chunks, page] = await Promise.all([bundleProgram(root, dist), bundlePage(root, join(dist, 'web')), compileModules(root, join(inside, 'src'))]);
writeFileSync(join(inside, 'chunks.json'), `${JSON.stringify(chunks, null, 1)}\n`);
chmodSync(join(cli, 'main.js'), 0o755);
writeFileSync(join(cli, 'help.txt'), helpOfProgram());
writeFileSync(join(dist, 'licenses.txt'), licensesOf([...Object.values(chunks).flat(), ...page]));
await types;

async function declareTypes() {
  const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  const [status] = await once(spawn(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' }), 'close');
  if (status !== 0) process.exit(status ?? 1);
  pruneTypes(dist);
}

function helpOfProgram() {
  const { status, stdout } = spawnSync(process.execPath, [join(cli, 'main.js'), 'help'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

/** Bundled packages need their licences. */
function licensesOf(modules) {
  const names = new Set(modules.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  return [...names]
    .sort()
    .map((name) => `${name}\n\n${readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8').trim()}\n`)
    .join('\n');
}
