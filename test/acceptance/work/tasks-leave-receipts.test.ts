import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receipt, type Statement, statementOf } from '../../../src/journal/words/receipt.ts';
import { signedBy } from '../../../src/proof/receipts/dsse.ts';
import { receiptFrom } from '../../support/receipt-from.ts';
import type { EndedRun } from '../../support/stage.ts';
import { eventsIn, openWorkStage, WORKS, type WorkStage } from '../../support/work-stage.ts';

const test = (value: number) =>
  `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from '../src/add.js';\ntest('adds', () => {\n  assert.strictEqual(add(1, 2), ${value});\n});\n`;
const files = {
  'package.json': '{"type": "module"}',
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js': test(3),
};
/** The id of the second one is a path out of the run's folder. */
const TASKS = ['A', '"../../B C"'] as const;
const ODD = '../../B C';
const AGENT = `[ "$id" = A ] && { ${WORKS}; exit; }\necho by B >B.txt; save; ralph task complete "$id"`;

describe('the receipts of a run on a plan', () => {
  let stage: WorkStage;
  let ended: EndedRun;
  let run = '';
  let whole: ReadonlyMap<string, string>;
  const folder = () => join(stage.repo.path, '.git', 'ralph', 'runs', run, 'receipts');
  const fileOf = (task: string) => [...whole].find(([, text]) => receiptFrom(text).merged?.id === task)?.[0] ?? '';
  const put = (file: string, text: string) => writeFileSync(join(folder(), file), text);
  const told = (task: string) => receiptFrom(whole.get(fileOf(task)) ?? '');
  const signed = (receipt: Receipt, key: KeyObject) => JSON.stringify(signedBy(key, statementOf(receipt) as Statement));
  const ownKey = () => createPrivateKey(readFileSync(join(stage.repo.beside, '.config', 'ralph', 'receipt-key.pem')));
  beforeAll(async () => {
    stage = await openWorkStage(TASKS as readonly string[], AGENT, { files });
    ended = await stage.work('--check', 'node --test', '--workers', '2');
    run = String(eventsIn(stage, 'run.started')[0]?.['run']);
    whole = new Map(readdirSync(folder()).map((file) => [file, readFileSync(join(folder(), file), 'utf8')]));
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it('exist for each task with its proof, and the summary says where', () => {
    expect(ended, ended.stderr).toMatchObject({ code: 0, result: { done: true, work: { receipts: { count: 2, folder: folder(), unsigned: null } } } });
    expect(ended.stderr).toMatch(new RegExp(`receipts +2 in ${folder()} \\(ralph verify ${run}\\)`));
    const merges = new Set(eventsIn(stage, 'merge.judged').map(({ commit }) => commit));
    for (const task of ['A', ODD]) {
      const { commit, tree, merged, checks, proof, iterations } = told(task);
      expect(merges).toContain(commit);
      expect(tree).toBe(stage.repo.git('rev-parse', `${commit}^{tree}`));
      expect(stage.repo.git('diff', '--name-only', merged?.judged_tree ?? '', tree ?? '')).toBe('task-graph.yaml');
      expect(merged).toMatchObject({ id: task, base: 'main', taken_from: stage.repo.git('rev-list', '--max-parents=0', 'main') });
      expect({ checks, iterations }).toMatchObject({ checks: [{ command: 'node --test', exit_code: 0, tests: 1 }], iterations: 1 });
      expect(proof).toMatchObject({
        level: 'living',
        checks: [{ state: 'living', files: ['test/add.test.js'] }],
        deciders: { count: expect.any(Number) as number },
      });
    }
  });

  it('are verified all at once, one by one, and by commit', async () => {
    const all = await stage.ralph('verify', run);
    expect(all, all.stderr).toMatchObject({ code: 0, stderr: '' });
    for (const task of ['A', ODD]) expect(all.stdout).toContain(`Receipt of task ${task} of run ${run}: run ${run}, task ${task}, `);
    expect(all.stdout).toMatch(/\nSigned by your own key \(sha256:/);
    expect(all.stdout).toMatch(/\nVerified: 2 tasks, as recorded\.\n$/);
    const one = await stage.ralph('verify', run.slice(-6), '--task', ODD, '--json');
    expect(JSON.parse(one.stdout), one.stderr).toMatchObject({ task: ODD, as_recorded: true, signature: { state: 'signed' } });
    const { commit } = told('A');
    const byCommit = await stage.ralph('verify', `${commit}`);
    expect(byCommit.stdout, byCommit.stderr).toContain(`Receipt of commit ${commit}: run ${run}, task A, `);
    expect(await stage.ralph('verify', run, '--task', 'nobody')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`task nobody of run ${run} has no receipt`),
    });
  });

  const another = generateKeyPairSync('ed25519').privateKey;
  const forgeries: readonly (readonly [string, () => void, RegExp])[] = [
    ['is that of another task', () => put(fileOf('A'), whole.get(fileOf(ODD)) ?? ''), /task A of run \S+ does not count: it is of task \.\.\/\.\.\/B C$/m],
    ['is of another run', () => put(fileOf('A'), signed({ ...told('A'), run: 'x' }, ownKey())), /task A of .* it is of run x$/m],
    [
      'was altered',
      () => put(fileOf('A'), (whole.get(fileOf('A')) ?? '').replace(/"payload": "..../, '"payload": "AAAA')),
      /task A of .* its signature is not that of your own key/,
    ],
    [
      'is signed by another key',
      () => put(fileOf('A'), signed(told('A'), another)),
      /task A of .* it is signed by sha256:\w+, which is no key that counts here$/m,
    ],
    [
      'names a commit that is not on the base',
      () => {
        const { tree, commit } = told('A');
        const beside = stage.repo.git('commit-tree', `${tree}`, '-p', `${commit}`, '-m', 'beside');
        put(fileOf('A'), signed({ ...told('A'), commit: beside }, ownKey()));
      },
      /task A of .* its commit \w{40} is not on main$/m,
    ],
    ['is gone', () => rmSync(join(folder(), fileOf('A'))), /task A of .* it is not there; if the run was killed/],
  ];
  const restore = () => {
    for (const file of readdirSync(folder())) if (!whole.has(file)) rmSync(join(folder(), file));
    for (const [file, text] of whole) put(file, text);
  };
  it.each(forgeries)('are refused if one %s', async (_, forge, problem) => {
    forge();
    const { code, stdout, stderr } = await stage.ralph('verify', run, '--task', 'A', '--require-signature');
    restore();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(problem);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('are verified if they are intact, and the others are named', async () => {
    put(fileOf('A'), signed({ ...told('A'), run: 'x' }, ownKey()));
    put('C.json', signed(told('A'), ownKey()));
    const { code, stdout, stderr } = await stage.ralph('verify', run);
    restore();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: the receipt of task A of .*\nerror: the receipt of C\.json of run \S+ does not count: the run has merged no task/);
    expect(stdout).toContain(`Receipt of task ${ODD} of run`);
    expect(stdout).toMatch(/\nNot verified: 2 of 3 receipts: A, C\.json of run \S+\n$/);
  });
});
