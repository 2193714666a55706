#!/usr/bin/env node
// The bin: as little as possible is loaded before we know what is asked for.
import { readFileSync } from 'node:fs';

const argv = process.argv.slice(2);
const [only] = argv.length === 1 ? argv : [];

if (only === '--version' || only === '-v') {
  const { VERSION } = await import('../wiring/version.ts');
  process.stdout.write(`${VERSION}\n`);
} else if (only === '--help' || only === '-h') {
  // Written by the build from the program itself: loading a parser only to print this would double the time.
  process.stdout.write(readFileSync(new URL('./help.txt', import.meta.url)));
} else if (argv[0] === 'hook' && !argv[1]?.startsWith('-')) {
  // Bundled by the build: an agent waits for it at every tool call.
  const { createRequire } = await import('node:module');
  createRequire(import.meta.url)('./hook.cjs');
} else {
  const [{ runCli }, { endOnBugs, leave, surviveALostTerminal }] = await Promise.all([import('./run-cli.ts'), import('./leave.ts')]);
  surviveALostTerminal();
  endOnBugs();
  leave(await runCli(argv));
}
