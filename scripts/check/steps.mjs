// The table of checks. Steps start in this order, cheap ones first; `after` names the steps that must end before.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const tool = (path) => join(root, 'node_modules', path);
const script = (name) => join(root, 'scripts', name);

/** `holds` is the description in CONTRIBUTING. */
const step = (name, holds, ...argv) => ({ name, holds, argv, cwd: root });
const tests = (name, holds, ...argv) => ({ ...step(name, holds, ...argv), countsTests: true });
const vitest = (name, holds, ...args) => tests(name, holds, tool('vitest/vitest.mjs'), 'run', ...args);
const after = (steps, then) => ({ ...then, after: steps.map(({ name }) => name) });

const everywhere = ['src', 'test', 'scripts', 'bench'];
const lint = step(
  'format and lint',
  'Biome; sizes, names and house rules in `biome.json` and `lint/`',
  tool('@biomejs/biome/bin/biome'),
  'check',
  '--error-on-warnings',
);
const testTools = step(
  'test tools',
  'installs bubblewrap, git-lfs, zsh, fish, chromium, PostgreSQL, pgbouncer, claude and codex where it may, else says what is not tested',
  script('install-test-tools.mjs'),
);
const fences = step(
  'dependency fences',
  'who may import whom, `.dependency-cruiser.cjs`',
  tool('dependency-cruiser/bin/dependency-cruise.mjs'),
  '--config',
  '.dependency-cruiser.cjs',
  ...everywhere,
);
const pureTypes = step('types, pure', 'pure code without Node’s types, `tsconfig.pure.json`', tool('typescript-7/bin/tsc'), '-p', 'tsconfig.pure.json');
const types = step('types', 'the compiler over everything, tests included', tool('typescript-7/bin/tsc'), '-p', 'tsconfig.json');
const pageTypes = step(
  'types, page',
  'the page of `ralph ui`, with the types of a browser, `src/web/client/tsconfig.json`',
  tool('typescript-7/bin/tsc'),
  '-p',
  'src/web/client/tsconfig.json',
);
const build = after([types], step('build', 'the program in `dist/`, with the types of the library', script('build.mjs')));
const pure = vitest('tests, pure', 'rules, folds, claims, properties; no clock, no dice, no files', '--project', 'pure');
// Three workers, because its tests wait most of the time, and most of the other steps end before it.
const acceptance = after(
  [build, testTools],
  vitest('tests, acceptance', 'the built program with scripted agents: signals, exit codes, crashes', '--project', 'acceptance', '--maxWorkers=3'),
);
const promises = step('promises and switches', 'five type-aware rules in `.oxlintrc.json`', tool('oxlint/bin/oxlint'), '.');
const deadCode = step('dead code', 'knip', tool('knip/bin/knip.js'));
const deadProductCode = step('dead code, shipped', 'knip for what is published alone', tool('knip/bin/knip.js'), '--production', '--strict');
const packaging = after([build], step('package', 'publint on the result', tool('publint/src/cli.js'), '--strict'));
const world = after([build, testTools], vitest('tests, world', 'real files, git and processes; contracts, fences, docs', '--project', 'world'));
const changedWorld = vitest('tests, changed world', 'the world tests that your changes touch', '--project', 'world', '--changed', '--passWithNoTests');
const agents = after([build, testTools], {
  ...tests('tests, real agents', 'the real claude and codex against a scripted model server', script('test-agents.mjs'), '--few'),
  // codex hides /dev from its own tools, and with it what lies in /dev/shm.
  onDisk: true,
  skip: whyNoAgents,
});
const long = after([world, acceptance], step('tests, long', 'twenty times the random runs of the engine, a flood of 1 GB', script('test-long.mjs')));

/** The previous step has installed them or reported why it could not; in CI that is a failure. */
function whyNoAgents() {
  const check = spawnSync(process.execPath, [script('install-agents.mjs'), '--check'], { stdio: 'ignore' });
  return check.status === 0 ? null : 'NOT RUN: claude and codex are not installed here; `npm run test:agents` installs and tests them';
}

export const staticChecks = [lint, fences, pureTypes, pageTypes, types, deadCode, deadProductCode, promises];
export const quick = [lint, pureTypes, pageTypes, types, pure, changedWorld];
// Both world suites mostly wait for their own processes, so they run at the same time.
export const everything = [
  lint,
  testTools,
  fences,
  pureTypes,
  pageTypes,
  types,
  build,
  pure,
  acceptance,
  deadCode,
  deadProductCode,
  packaging,
  promises,
  world,
  agents,
];
export const deepToo = [...everything, long];
