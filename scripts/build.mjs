// Builds dist/: the TypeScript compiler, then what is derived from the compiled program. Silent when all is well.
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleHook } from './bundle-hook.mjs';
import { pruneTypes } from './prune-types.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const cli = join(root, 'dist', 'cli');

// What a renamed source left behind would be published.
rmSync(join(root, 'dist'), { recursive: true, force: true });
const built = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);
pruneTypes(join(root, 'dist'));

const { buildProgram } = await import(pathToFileURL(join(cli, 'program.js')).href);
writeFileSync(
  join(cli, 'help.txt'),
  buildProgram()
    .configureOutput({ getOutHelpWidth: () => 100 })
    .helpInformation(),
);
await bundleHook(join(cli, 'hook.cjs'));
rmSync(join(cli, 'hook.js'));
chmodSync(join(cli, 'main.js'), 0o755);
