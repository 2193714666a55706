import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deep } from '../../support/deep.ts';
import { finishes, openLoopStage, receiptOf } from '../../support/loop-stage.ts';

const pkg = { 'package.json': '{ "name": "x", "type": "module", "scripts": { "test": "node --test" } }\n' };
const testOf = (name: string, demand: string) =>
  `import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from '${name}';\ntest('adds', () => assert.equal(${demand}));\n`;
const wrong = { ...pkg, 'src/add.js': 'export const add = (a, b) => a - b;\n', 'test/add.test.js': testOf('../src/add.js', 'add(1, 2), 3') };
const mends = finishes("sed -i 's/a - b/a + b/' src/add.js");
const withTest = finishes(`mkdir -p src test; echo 'export const add = (a, b) => a + b;' > src/add.js; cat > test/add.test.js <<'END'
${wrong['test/add.test.js']}END`);

describe.concurrent('a check', () => {
  it('for which Ralph cannot plant failures proves the level green, and the receipt says that it is not shown to be alive', async () => {
    await using stage = await openLoopStage([mends], { files: wrong, gate: 'grep -q "a + b" src/add.js' });
    const run = await stage.loop();
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(receiptOf(run).proof).toMatchObject({ level: 'green', checks: [{ state: 'unknown' }] });
  });

  it('without a test file at the start is inspected again when the agent claims completion', async () => {
    await using stage = await openLoopStage([withTest], { files: pkg, gate: 'npm test' });
    const run = await stage.loop('--no-baseline');
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, iterations: 1 } });
    expect(receiptOf(run).proof).toMatchObject({ level: 'living', checks: [{ state: 'living', files: ['test/add.test.js'] }] });
  });

  it('that prints nothing proves the level green: it turns red, but does not show which file failed', async () => {
    await using stage = await openLoopStage([mends], { files: wrong, gate: 'node --test > /dev/null 2>&1' });
    const run = await stage.loop();
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(receiptOf(run).proof).toMatchObject({ level: 'green', checks: [{ state: 'unknown' }] });
  });

  it('that writes into the project leaves nothing from the copies there', async () => {
    await using stage = await openLoopStage([mends], { files: wrong, gate: 'pwd >> seen.txt; node --test' });
    const run = await stage.loop();
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    const seen = readFileSync(join(stage.repo.path, 'seen.txt'), 'utf8').trim().split('\n');
    expect(new Set(seen)).toEqual(new Set([stage.repo.path]));
  });

  it('that is dead from the start ends the run before any agent runs', async () => {
    await using stage = await openLoopStage([mends], { files: wrong, gate: 'node --test || true' });
    const run = await stage.loop();
    expect(run).toMatchObject({ code: 2, result: { done: false, stop_reason: 'dead_gate' } });
    expect(run.stderr).toContain('stays green with failures planted in test/add.test.js');
    expect(stage.calls()).toEqual([]);
  });

  it('that cannot start yet does not stop the run, because the agent may write what it runs; the receipt says that it is not shown to be alive', async () => {
    await using stage = await openLoopStage([finishes('echo "exit 0" > tool.sh')], { files: wrong, gate: 'sh tool.sh' });
    const run = await stage.loop('--max-iterations', '1');
    expect(run.result).toMatchObject({ done: true });
    expect(receiptOf(run).proof).toMatchObject({ level: 'green', checks: [{ state: 'unknown' }] });
  });

  it('that builds by time is held if only changed settings of the build make it green, even if nothing would be built anew', async () => {
    const made = 'WORD = open\ncheck: built\n\t@grep -q done built\nbuilt: said.txt\n\t@echo $(WORD) > built\n';
    const files = { ...pkg, Makefile: made, 'said.txt': 'something\n', '.gitignore': 'built\n' };
    await using stage = await openLoopStage([finishes("sed -i 's/= open/= done/' Makefile && rm -f built")], { files, gate: 'make check' });
    const run = await stage.loop('--max-iterations', '1');
    expect(run, run.stderr).toMatchObject({ code: 3, result: { done: false, stop_reason: 'held' } });
    expect(run.stderr).toContain('Makefile');
  });

  it('with an absolute path still checks the copy, also without a sandbox', async () => {
    await using stage = await openLoopStage([mends], { files: wrong, gate: 'true' });
    const run = await stage.loop('--no-sandbox', '--check', `node --test ${stage.repo.path}/test/add.test.js`);
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(receiptOf(run).proof?.checks).toContainEqual(expect.objectContaining({ state: 'living', files: ['test/add.test.js'] }));
  });

  it.each([
    ['moves', 'mv test/add.test.js test/sum.test.js'],
    ['removes', 'rm test/add.test.js'],
  ])('that the source code exits early is dead, also if the agent %s the test', async (_, does) => {
    const other = { 'test/other.test.js': "import test from 'node:test';\ntest('other', () => {});\n" };
    await using stage = await openLoopStage([finishes(`${does}; echo 'process.exit(0); export const add = 1;' > src/add.js`)], {
      files: { ...wrong, ...other },
      gate: 'node --test',
    });
    const run = await stage.loop('--no-sandbox', '--max-iterations', '1', '--no-baseline');
    expect(run.result, run.stderr).toMatchObject({ done: false, stop_reason: 'dead_gate' });
  });

  it('that hangs only with failures planted is dead, so a cheat cannot hide behind its time limit', async () => {
    const hides = `import { readFileSync } from 'node:fs';
if (readFileSync('test/add.test.js', 'utf8').includes('ralph canary')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
process.exit(0);
export const add = 1;`;
    await using stage = await openLoopStage([finishes(`cat > src/add.js <<'END'\n${hides}\nEND`)], { files: wrong, gate: 'node --test' });
    const run = await stage.loop('--no-sandbox', '--max-iterations', '1', '--no-baseline', '--check-timeout', '5s');
    expect(run.result, run.stderr).toMatchObject({ done: false, stop_reason: 'dead_gate' });
    expect(run.stderr).toContain('no longer ends by itself with failures planted in test/add.test.js');
  });

  it('that overlooks planted failures once is not dead, because it may be flaky', async () => {
    await using stage = await openLoopStage([mends], { files: wrong, gate: null });
    const once = `if grep -q "ralph canary" test/add.test.js && mkdir ${stage.repo.beside}/overlooked 2>/dev/null; then exit 0; fi; node --test`;
    const run = await stage.loop('--no-sandbox', '--check', once);
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(existsSync(join(stage.repo.beside, 'overlooked'))).toBe(true);
    expect(receiptOf(run).proof).toMatchObject({ level: 'living' });
  });

  it('is not accepted if the agent has made a clean copy impossible', async () => {
    const cheats = finishes('rm -rf test .git/worktrees; echo > .git/worktrees');
    await using stage = await openLoopStage([cheats], { files: wrong, gate: 'node --test' });
    const run = await stage.loop('--no-sandbox');
    expect(run).toMatchObject({ code: 4 });
    expect(run.stderr).toContain('git cannot make a copy of the work');
  });

  deep('a small repository shows the same rule', () => {
    it('of a monorepo with 40 packages is alive in every package', async () => {
      const names = Array.from({ length: 40 }, (_, index) => `packages/p${index}`);
      const packages = names.flatMap((name) => [
        [`${name}/package.json`, '{ "type": "module" }\n'],
        [`${name}/add.js`, 'export const add = (a, b) => a + b;\n'],
        [`${name}/add.test.js`, testOf('./add.js', 'add(1, 2), 3')],
      ]);
      await using stage = await openLoopStage([mends], { files: { ...wrong, ...Object.fromEntries(packages) }, gate: 'npm test' });
      const run = await stage.loop();
      expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
      expect(receiptOf(run).proof?.checks[0]?.files).toHaveLength(41);
    });
  });
});
