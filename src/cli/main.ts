#!/usr/bin/env node
// The bin: as little as possible is loaded before we know what is asked for.
import { readFileSync } from 'node:fs';
import { packagePath } from '../kit/files/package-root.ts';

const argv = process.argv.slice(2);
const [only] = argv.length === 1 ? argv : [];

if (only === '--version' || only === '-v') {
  process.stdout.write(`${JSON.parse(readFileSync(packagePath('package.json'), 'utf8')).version}\n`);
} else if (only === '--help' || only === '-h') {
  // Written by the build from the program itself: loading a parser only to print this would double the time.
  process.stdout.write(readFileSync(packagePath('dist', 'cli', 'help.txt')));
} else if (argv[0] === 'hook' && !argv[1]?.startsWith('-')) {
  // Bundled by the build: an agent waits for it at every tool call.
  const { createRequire } = await import('node:module');
  createRequire(import.meta.url)(packagePath('plugin', 'hooks', 'ralph-hook.cjs'));
} else {
  const { liveAsRalph } = await import('./run-cli.ts');
  await liveAsRalph(argv);
}
