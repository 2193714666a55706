#!/usr/bin/env node
// The bin. It loads as little as possible before it knows what was asked for. The build makes it CommonJS, which node starts faster.
import { readFileSync } from 'node:fs';
import { packagePath } from '../kit/files/package-root.ts';

const argv = process.argv.slice(2);
const [only] = argv.length === 1 ? argv : [];

if (only === '--version' || only === '-v') {
  process.stdout.write(`${JSON.parse(readFileSync(packagePath('package.json'), 'utf8')).version}\n`);
} else if (only === '--help' || only === '-h') {
  // The build writes this file from the program itself: loading the parser only to print it would double the time.
  process.stdout.write(readFileSync(packagePath('dist', 'cli', 'help.txt')));
} else if (argv[0] === 'hook' && !argv[1]?.startsWith('-')) {
  // Bundled by the build, because an agent waits for it at every tool call.
  require(packagePath('plugin', 'hooks', 'ralph-hook.cjs'));
} else {
  void (require('./run-cli.ts') as typeof import('./run-cli.ts')).runAsProcess(argv);
}
