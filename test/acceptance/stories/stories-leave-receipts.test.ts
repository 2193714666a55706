import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Statement, statementOf } from '../../../src/journal/words/receipt.ts';
import { signedBy } from '../../../src/proof/receipts/dsse.ts';
import { receiptFrom } from '../../support/receipt-from.ts';
import type { EndedRun } from '../../support/stage.ts';
import { BRANCH, openStoriesStage, type StoriesStage, story } from '../../support/stories-stage.ts';

const TEST = "require('node:test').test('adds', () => {\n  require('node:assert').strictEqual(require('../add.js')(1, 2), 3);\n});\n";
const files = { 'add.js': 'module.exports = (a, b) => a + b;\n', 'test/add.test.js': TEST };

describe('the receipt of a story', () => {
  let stage: StoriesStage;
  let run = '';
  let orphan: EndedRun;
  let resumed: EndedRun;
  let text = '';
  const folder = () => join(stage.repo.path, '.git', 'ralph', 'runs', run, 'receipts');
  const file = () => join(folder(), 'US-001.json');
  beforeAll(async () => {
    stage = await openStoriesStage([story('US-001')], [], { files, top: { verifyCommands: ['node --test'] } });
    await stage.crash({ at: 'effect.begun write-receipt', mode: 'before' });
    run = String(stage.events('run.started')[0]?.['run']);
    orphan = await stage.ralph('verify', run);
    resumed = await stage.ralph('runs', 'resume', run, '--json');
    text = readFileSync(file(), 'utf8');
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it('is missed after a kill between the record and the receipt, and written by the resumed run', () => {
    expect(orphan).toMatchObject({ code: 1, stderr: expect.stringMatching(/story US-001 of run \S+ does not count: it is not there; .* ralph runs resume/) });
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { done: true, stories: { receipts: { count: 1, folder: folder(), unsigned: null } } } });
    expect(resumed.stderr).toMatch(new RegExp(`receipts +1 in ${folder()} \\(ralph verify ${run}\\)`));
    expect(readdirSync(folder())).toEqual(['US-001.json']);
  });

  it('says what was proven by what, and only the list and the progress differ from what was judged', () => {
    const { commit, tree, story: about, checks, proof, iterations } = receiptFrom(text);
    expect([commit, tree]).toEqual(stage.repo.git('rev-parse', BRANCH, `${BRANCH}^{tree}`).split('\n'));
    expect(about).toMatchObject({ id: 'US-001', plan: 'ralph/tasks.json', branch: BRANCH, may_change: [] });
    expect(stage.repo.git('diff', '--name-only', about?.judged_tree ?? '', `${tree}`).split('\n')).toEqual(['ralph/progress.txt', 'ralph/tasks.json']);
    expect({ checks, iterations }).toMatchObject({
      checks: [{ command: 'node --test', exit_code: 0, tests: 1, output_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }],
      iterations: 2,
    });
    expect(proof).toMatchObject({
      level: 'living',
      checks: [{ state: 'living', files: ['test/add.test.js'] }],
      deciders: { count: expect.any(Number) as number },
    });
  });

  it('is verified by run and by commit, and the report names it', async () => {
    const all = await stage.ralph('verify', run, '--require-signature');
    expect(all, all.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(all.stdout).toContain(`Receipt of story US-001 of run ${run}: run ${run}, story US-001, `);
    expect(all.stdout).toMatch(/\nVerified: 1 story, as recorded\.\n$/);
    const byCommit = await stage.ralph('verify', 'HEAD', '--json');
    expect(JSON.parse(byCommit.stdout), byCommit.stderr).toMatchObject({ task: 'US-001', as_recorded: true, signature: { state: 'signed' } });
    const report = await stage.ralph('report', run, '--json');
    expect(JSON.parse(report.stdout), report.stderr).toMatchObject({ proven: [{ task: 'US-001', receipt: file() }] });
  });

  const another = generateKeyPairSync('ed25519').privateKey;
  const forgeries: readonly (readonly [string, () => void, RegExp])[] = [
    [
      'was altered',
      () => writeFileSync(file(), text.replace(/"payload": "..../, '"payload": "AAAA')),
      /US-001 of .* its signature is not that of your own key/,
    ],
    [
      'is signed by another key',
      () => writeFileSync(file(), JSON.stringify(signedBy(another, statementOf(receiptFrom(text)) as Statement))),
      /US-001 of .* it is signed by sha256:\w+, which is no key that counts here$/m,
    ],
    ['belongs to no story of the run', () => writeFileSync(join(folder(), 'US-002.json'), text), /US-002\.json of run \S+ does not count: no story has passed/],
  ];
  it.each(forgeries)('is refused if it %s', async (_, forge, problem) => {
    forge();
    const { code, stderr } = await stage.ralph('verify', run, '--require-signature');
    writeFileSync(file(), text);
    rmSync(join(folder(), 'US-002.json'), { force: true });
    expect(code).toBe(1);
    expect(stderr).toMatch(problem);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
