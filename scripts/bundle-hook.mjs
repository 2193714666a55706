// Bundles the hook of an agent into one file: node scripts/bundle-hook.mjs <file>. It runs at every tool call.
import { dirname, join, resolve } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { loadWhenCalled } from './load-when-called.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

export async function bundleHook(file) {
  await build({
    input: join(root, 'src', 'cli', 'hook.ts'),
    cwd: root,
    platform: 'node',
    plugins: [loadWhenCalled],
    logLevel: 'warn',
    treeshake: { moduleSideEffects: false },
    output: {
      file,
      format: 'cjs',
      codeSplitting: false,
      comments: false,
      // Most of the bundle is the shell parser, which node reads at every start.
      minify: true,
      postBanner: '// Made from src/cli/hook.ts by scripts/bundle-hook.mjs (npm run generate): change that instead.\n"use strict";\n',
    },
  });
}

if (argv[2] !== undefined && pathToFileURL(argv[1]).href === import.meta.url) await bundleHook(resolve(argv[2]));
