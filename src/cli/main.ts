#!/usr/bin/env node
// The bin: as little as possible is loaded before we know what is asked for.
const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) {
  const { VERSION } = await import('../wiring/version.ts');
  process.stdout.write(`${VERSION}\n`);
} else {
  const { runCli } = await import('./run-cli.ts');
  process.exitCode = await runCli(argv);
}
