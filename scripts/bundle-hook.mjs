// Bundles the hook of an agent into one file: node scripts/bundle-hook.mjs <file>. It runs at every tool call, so code that only a few calls need is loaded on demand.
import { dirname, join, resolve } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Node modules that take milliseconds to load. */
const SLOW = ['node:child_process', 'node:crypto', 'node:fs/promises', 'node:http', 'node:timers/promises'];

/** Replaces each of their functions by one that loads the module when it is called. */
const loadWhenCalled = {
  name: 'load-when-called',
  resolveId: (id) => (SLOW.includes(id) ? `slow:${id}` : null),
  load(id) {
    const name = id.slice('slow:'.length);
    if (!id.startsWith('slow:') || !SLOW.includes(name)) return null;
    const real = process.getBuiltinModule(name);
    const functions = Object.keys(real).filter((each) => typeof real[each] === 'function' && /^[a-z]\w*$/i.test(each));
    return functions.map((each) => `export const ${each} = (...args) => process.getBuiltinModule('${name}').${each}(...args);`).join('\n');
  },
};

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
