// The table of checks. A stage is a list of steps that may run side by side; stages run one after the other.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const tool = (path) => join(root, 'node_modules', path);
const script = (name) => join(root, 'scripts', name);

const step = (name, ...argv) => ({ name, argv, cwd: root });
const tests = (name, ...argv) => ({ ...step(name, ...argv), countsTests: true });

const lint = step('format and lint', tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings');
const types = step('types', tool('typescript/bin/tsc'), '-p', 'tsconfig.json');
const pureTypes = step('types, pure core', tool('typescript/bin/tsc'), '-p', 'tsconfig.pure.json');
const promises = step('promises and switches', tool('eslint/bin/eslint.js'), '.', '--max-warnings=0');
const everywhere = ['src', 'test', 'scripts', 'bench'];
const fences = step('dependency fences', tool('dependency-cruiser/bin/dependency-cruise.mjs'), '--config', '.dependency-cruiser.cjs', ...everywhere);
const deadCode = step('dead code', tool('knip/bin/knip.js'));
const deadProductCode = step('dead code, shipped', tool('knip/bin/knip.js'), '--production', '--strict');
const build = step('build', script('build.mjs'));
const packaging = step('package', tool('publint/src/cli.js'), '--strict');

const vitest = (name, ...args) => tests(name, tool('vitest/vitest.mjs'), 'run', ...args);
const pure = vitest('tests, pure', '--project', 'pure');
const world = vitest('tests, world', '--project', 'world');
const changedWorld = vitest('tests, changed world', '--project', 'world', '--changed', '--passWithNoTests');
const acceptance = vitest('tests, acceptance', '--project', 'acceptance');
const testTools = { ...step('test tools', script('install-test-tools.mjs')), skip: whyNoTestTools };
const agents = { ...tests('tests, real agents', script('test-agents.mjs')), skip: whyNoAgents };

/** In CI the agents are installed and a failed install fails; elsewhere nobody downloads hundreds of megabytes by surprise. */
function whyNoAgents() {
  if (process.env.CI) return null;
  const check = spawnSync(process.execPath, [script('install-agents.mjs'), '--check'], { stdio: 'ignore' });
  return check.status === 0 ? null : 'NOT RUN: claude and codex are not installed here; `npm run test:agents` installs and tests them';
}

/** In CI a missing tool is a failure; elsewhere its tests are skipped, and this line says so. */
function whyNoTestTools() {
  if (process.env.CI) return null;
  const install = spawnSync(process.execPath, [script('install-test-tools.mjs')], { encoding: 'utf8' });
  return install.stderr.trim() || null;
}

const statically = [lint, types, pureTypes, promises, fences, deadCode, deadProductCode];

export const staticChecks = [statically];
export const quick = [[lint, types, pureTypes], [pure], [changedWorld]];
// The tests of the world mostly wait for processes of their own: the pure ones run beside them.
export const everything = [statically, [build], [packaging, testTools], [pure, world], [acceptance], [agents]];
