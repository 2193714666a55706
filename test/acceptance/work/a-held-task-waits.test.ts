import { describe, expect, it, vi } from 'vitest';
import { deep } from '../../support/deep.ts';
import { branchesOf, eventsIn, expectTidy, openWorkStage, PLAN, WORKS, type WorkStage } from '../../support/work-stage.ts';

vi.setConfig({ maxConcurrency: 2 });

const CHECK = ['--check', 'node --test'] as const;
const test = (name: string, said: string) =>
  `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from '../src/add.js';\ntest('${name}', () => {\n  assert.strictEqual(${said});\n});\n`;
const files = {
  'package.json': '{\n  "type": "module",\n  "devDependencies": {\n    "runner": "1.0.0"\n  }\n}\n',
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js': test('adds', 'add(1, 2), 3'),
  'test/flaky.test.js': test('is flaky', 'add(2, 2), 4'),
};

/** Green only with the changed test. */
const CHEAT = `echo 'export const add = () => 4;' >src/add.js; sed -i 's/add(1, 2), 3/add(1, 2), 4/' test/add.test.js; ${WORKS}`;
const cheater = (id: string) => `[ "$id" = ${id} ] && { ${CHEAT}; exit 0; }\n${WORKS}`;

const proofOf = (run: { readonly result: unknown }, task: string) =>
  (run.result as { work: { proofs: { task: string }[] } }).work.proofs.find((proof) => proof.task === task);
const runOf = (stage: WorkStage) => String(eventsIn(stage, 'run.started')[0]?.['run']);

describe.concurrent('a task that is green only with a changed test', () => {
  it('is retried once, then waits for a person while an honest one is merged; after ralph accept it is merged unchanged', async () => {
    await using stage = await openWorkStage(['A', 'B', 'C'], cheater('A'), { files, edges: [['A', 'C']] });
    const run = await stage.work(...CHECK, '--workers', '2');

    expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'held', done: false, work: { tasks: { done: 1, held: 1, failed: 0 } } } });
    expect(run.result).toMatchObject({ message: expect.stringContaining(`ralph accept ${runOf(stage)} --task A`) });
    expect(proofOf(run, 'A')).toMatchObject({ verdict: 'held', held: true, dead_gate: false, changed: [{ path: 'test/add.test.js' }] });
    expect(proofOf(run, 'B')).toMatchObject({ verdict: 'proven', level: 'living', held: false });
    expect(stage.prompts('A')[1]).toContain('test/add.test.js');
    expect(stage.statuses()).toEqual({ A: 'pending', B: 'complete', C: 'pending' });
    expect(branchesOf(stage.repo, '--no-merged=main').filter((branch) => branch.startsWith('ralph/A.'))).not.toEqual([]);
    expect((await stage.ralph('task', 'show', 'A')).stdout).toContain('parked');

    const other = await stage.ralph('accept', '--task', 'A', '--path', 'docs/**', '--json');
    expect(other, other.stderr).toMatchObject({ code: 3 });
    const accepted = await stage.ralph('accept', '--json');
    expect(accepted, accepted.stderr).toMatchObject({ code: 0, result: { done: true, work: { tasks: { held: 0 } } } });
    expect(proofOf(accepted, 'A')).toMatchObject({ allowed_by: expect.any(String), held: false });
    expect(eventsIn(stage, 'claim.allowed')).toMatchObject([{ task: 'A', paths: ['test/add.test.js'] }]);
    expect(stage.calls().filter((id) => id === 'A')).toHaveLength(2);
    expect(stage.merged().slice(-2)).toEqual(['A', 'C']);
    expect(stage.repo.git('show', 'main:src/add.js')).toBe('export const add = () => 4;');
    expectTidy(stage);
  });

  it('cannot extend what it may change, nor accept itself', async () => {
    const grants = `sed -i "/{id: A,/s/} #/, may_change: ['**']} #/" ${PLAN}; ralph accept --json >"$here/itself" 2>&1; ${CHEAT}`;
    await using stage = await openWorkStage(['A'], grants, { files });
    const run = await stage.work(...CHECK);

    expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'held' } });
    expect(eventsIn(stage, 'plan.settled')[0]).toMatchObject({ refused: [expect.stringContaining('may_change of A')] });
    expect(stage.plan()).not.toContain('may_change');
    expect(stage.read('itself')).toContain('waits for a person');
  });

  deep('the rules of the recipe say the same of every case', () => {
    it('is merged at once if the plan allows the change', async () => {
      await using stage = await openWorkStage([['A', 'may_change: ["test/add*"]']], CHEAT, { files });
      const run = await stage.work(...CHECK);

      expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
      expect(proofOf(run, 'A')).toMatchObject({ verdict: 'proven', allowed: ['test/add.test.js'] });
    });

    it('is held by tests that another task has merged, even if an agent wrote them', async () => {
      const brings = `printf '%b' "${test('sums', 'add(5, 5), 10').replaceAll('\n', '\\n')}" >test/sum.test.js; ${WORKS}`;
      const breaks = `echo 'export const add = (a, b) => (a === 5 ? 11 : a + b);' >src/add.js; sed -i 's/, 10/, 11/' test/sum.test.js; ${WORKS}`;
      await using stage = await openWorkStage(['A', 'B'], `[ "$id" = A ] && { ${brings}; exit 0; }\n${breaks}`, { files, edges: [['A', 'B']] });
      const run = await stage.work(...CHECK);

      expect(run, run.stderr).toMatchObject({ code: 3, result: { work: { tasks: { done: 1, held: 1 } } } });
      expect(proofOf(run, 'B')).toMatchObject({ held: true, changed: [{ path: 'test/sum.test.js' }] });
    });

    it('is held after a kill too, because the journal says what the gates run', async () => {
      await using stage = await openWorkStage(['A', 'B'], cheater('A'), { files });
      await stage.crash({ at: 'gates.judged', mode: 'before' }, ...CHECK);
      const run = await stage.ralph('runs', 'resume', runOf(stage), '--json');

      expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'held', work: { tasks: { done: 1, held: 1 } } } });
      expect(eventsIn(stage, 'living.found')).toHaveLength(1);
      const merges = eventsIn(stage, 'effect.begun').flatMap(({ effect }) => ((effect as { kind: string }).kind === 'merge' ? [effect] : []));
      for (const merge of merges) expect(merge).toMatchObject({ proof: { living: [{ state: 'living', files: ['test/add.test.js', 'test/flaky.test.js'] }] } });
    });
  });
});

it.concurrent('ralph work does not start with a gate that cannot fail', async () => {
  await using stage = await openWorkStage(['A'], WORKS, { files });
  const run = await stage.work('--check', 'node --test || true');

  expect(run, run.stderr).toMatchObject({ code: 2, result: { stop_reason: 'dead_gate', message: expect.stringContaining('stays green') } });
  expect(stage.calls()).toEqual([]);
});

it.concurrent('a task whose source ends the tests early, unless failures are planted, is held at the merge', async () => {
  const looks = "import { readFileSync } from 'node:fs';\nif (!readFileSync(process.argv[1], 'utf8').includes('ralph canary')) process.exit(0);\n";
  const cheat = `printf '%b' "${looks.replaceAll('\n', '\\n')}export const add = (a, b) => a + b;\\n" >src/add.js; ${WORKS}`;
  const impossible = { ...files, 'test/add.test.js': `${files['test/add.test.js']}${test('adds', 'add(1, 2), 4').split('\n').slice(3).join('\n')}` };
  await using stage = await openWorkStage(['A'], cheat, { files: impossible });
  const run = await stage.work(...CHECK);

  expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'held', work: { tasks: { done: 0, held: 1 } } } });
  expect(proofOf(run, 'A')).toMatchObject({ held: true, reason: expect.stringContaining('behaves differently when planted tests are there') });
});

const NIGHT = `case "$id" in
missing) printf '%b' "${test('adds nothing', 'add(0, 0), 0').replaceAll('\n', '\\n')}" >test/nothing.test.js ;;
flaky) sed -i 's/return 1/return 2/' src/slow.js; sed -i 's/, 1)/, 2)/' test/slow.test.js ;;
upgrade) sed -i 's/1\\.0\\.0/2.0.0/' package.json ;;
refactor) mkdir -p test/helpers; echo 'export const three = 3;' >test/helpers/three.js
  sed -i "s|add(1, 2), 3|add(1, 2), three|; 1i import { three } from './helpers/three.js';" test/add.test.js ;;
first) [ "$nth" = 1 ] && { printf '%b' "${test('has a minus', 'minus(3, 1), 2').replace('{ add }', '{ minus }').replace('add.js', 'minus.js').replaceAll('\n', '\\n')}" >test/minus.test.js; }
  [ "$nth" = 1 ] || echo 'export const minus = (a, b) => a - b;' >src/minus.js ;;
esac
${WORKS}`;

it.concurrent('honest work on tests ends as done, or as held with the command that accepts it, and nothing is lost', async () => {
  const slow = {
    'src/slow.js': 'export const slow = () => {\n  return 1;\n};\n',
    'test/slow.test.js': test('is slow', 'slow(), 1').replace('{ add }', '{ slow }').replace('add.js', 'slow.js'),
  };
  await using stage = await openWorkStage(['missing', 'flaky', 'upgrade', 'refactor', 'first'], NIGHT, { files: { ...files, ...slow } });
  const run = await stage.work(...CHECK);

  expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'held', work: { tasks: { done: 4, held: 1, failed: 0 } } } });
  expect([...stage.merged()].sort()).toEqual(['first', 'missing', 'refactor', 'upgrade']);
  const accepted = await stage.ralph('accept', '--task', 'flaky', '--json');
  expect(accepted, accepted.stderr).toMatchObject({ code: 0, result: { done: true } });
  expectTidy(stage);
});
