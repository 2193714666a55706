import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { bash, CLAIM, ends, type Step, turn } from '../../support/claude-script.ts';
import { openStage, type Props, type Stage } from '../../support/stage.ts';

const FILES = {
  '.gitignore': 'node_modules\n',
  'package.json': '{"name":"app","version":"1.0.0"}\n',
  'package-lock.json': '{"name":"app","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{"":{"name":"app","version":"1.0.0"}}}\n',
  'vendor/dep/package.json': '{"name":"dep","version":"1.0.0","main":"index.js"}\n',
  'vendor/dep/index.js': 'module.exports = 42;\n',
  'check.cjs': "if (require('./app.cjs')() !== 42) process.exit(1);\n",
  'app.cjs': 'module.exports = () => 1;\n',
};
const USES = bash(`echo "module.exports = () => require('dep');" > app.cjs`);
const INSTALLS = bash('npm install --silent --offline --no-audit --no-fund ./vendor/dep');
/** As an installer leaves them. */
const PRETENDS = bash(`echo ' ' >> package-lock.json; mkdir -p node_modules/dep; cp vendor/dep/* node_modules/dep/`);
const COPIES = 'mkdir -p node_modules/dep && cp vendor/dep/* node_modules/dep/';

/** The operator has a package of his own. */
async function openPackaged(steps: readonly Step[], settings: object = {}, props: Props = {}): Promise<Stage> {
  const stage = await openStage([turn(...steps, ...ends(CLAIM))], { files: FILES, gate: 'node check.cjs', settings, ...props });
  await stage.repo.write('node_modules/old/index.js', 'old\n');
  return stage;
}

const operatorsAre = ({ repo }: Stage) => [readFileSync(join(repo.path, 'node_modules/old/index.js'), 'utf8'), existsSync(join(repo.path, 'node_modules/dep'))];

describe.skipIf(bubblewrapIsMissing()).concurrent('a claim that needs a new package is proven', () => {
  it('with the packages of its lock file, which the package manager installs in the clean copy; the operator’s own stay', async () => {
    await using stage = await openPackaged([INSTALLS, USES]);
    const { code, stderr } = await stage.run('--sandbox=os', '-m', '1');

    expect(code, stderr).toBe(0);
    expect(stderr).toContain('npm ci --prefer-offline');
    expect(operatorsAre(stage)).toEqual(['old\n', false]);
  });

  it('not if they cannot be installed, and the console says so', async () => {
    await using stage = await openPackaged([PRETENDS, USES], { setup: 'rm -rf node_modules; echo no network; exit 7' });
    const { code, stderr } = await stage.run('--sandbox=os', '-m', '1');
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(/Cannot find module.*could not be installed by: .*no network/s);
  });

  it('with the packages that were there, if the new ones cannot be installed and it does not need them', async () => {
    await using stage = await openPackaged([PRETENDS, bash(`echo "module.exports = () => require('old');" > app.cjs`)], {
      setup: 'rm -rf node_modules; exit 7',
    });
    await stage.repo.write('node_modules/old/index.js', 'module.exports = 42;\n');
    const { code, stderr } = await stage.run('--sandbox=os', '-m', '1');
    expect(code, stderr).toBe(0);
  });

  it('not by tests that make, while they judge, what the tests of the start then find', async () => {
    const wrong = bash(`echo "module.exports = () => { try { return require('dep'); } catch { return 1; } };" > app.cjs`);
    const makes = bash(`{ echo "require('fs').cpSync('vendor/dep', 'node_modules/dep', { recursive: true });"; cat check.cjs; } > c && mv c check.cjs`);
    await using stage = await openPackaged([wrong, makes]);
    const { code, stderr } = await stage.run('--sandbox=os', '-m', '1');
    expect(code, stderr).toBe(3);
    expect(stderr).toMatch(/held.*check\.cjs/i);
  });

  it('not by an installer that writes into the project', async () => {
    const setup = 'rm -rf node_modules; mkdir node_modules; echo "process.exit(0);" > app.cjs';
    await using stage = await openPackaged([PRETENDS, USES], { setup });
    const { code, stderr } = await stage.run('--sandbox=os', '-m', '1');
    expect(code, stderr).toBe(1);
    expect(stderr).toContain('Red in a clean copy of the work');
  });
});

it('a claim without a sandbox is proven with the packages of its lock file too, and the operator’s own stay', async () => {
  await using stage = await openPackaged([bash(`echo ' ' >> package-lock.json`), USES], { setup: COPIES });
  await stage.repo.write('node_modules/dep/index.js', 'module.exports = 42;\n');
  const { code, stderr } = await stage.run('--no-sandbox', '-m', '1');

  expect([code, stderr]).toEqual([0, expect.stringContaining(COPIES)]);
  expect(operatorsAre(stage)).toEqual(['old\n', true]);
});
