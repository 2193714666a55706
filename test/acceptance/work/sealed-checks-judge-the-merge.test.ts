import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { eventsIn, openWorkStage, type WorkStage } from '../../support/work-stage.ts';

const EXAMPLE = fileURLToPath(new URL('../../../templates/sealed/js', import.meta.url));
const CHECKS = [{ driver: 'node ralph-sealed/add.mjs', input: [20, 22], expect: 42, tasks: ['one'] }];
const files = { 'package.json': '{"type":"module"}\n', 'add.js': 'export const add = () => 0;\n' };
const GOOD = "echo 'export const add = (a, b) => a + b;' >add.js";
const BAD = "echo 'export const add = () => 2;' >add.js";

function seal({ repo }: WorkStage, list: object): readonly string[] {
  const folder = join(repo.beside, 'acceptance');
  cpSync(EXAMPLE, folder, { recursive: true });
  writeFileSync(join(folder, 'sealed.json'), JSON.stringify(list));
  return ['--sealed', folder, '--sandbox=guard'];
}

describe.concurrent('sealed checks in ralph work', () => {
  it('check the merged result, and the next agent learns only one bit and the hint', async () => {
    await using stage = await openWorkStage(['one', 'two'], `[ "$id.$nth" = one.1 ] && ${BAD} || ${GOOD}; work; claim`, { files, edges: [['one', 'two']] });
    const run = await stage.work(...seal(stage, { hint: 'Think of every number.', checks: CHECKS }));
    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    expect(stage.merged()).toEqual(['one', 'two']);
    expect(stage.prompts('one')[1]).toContain('hidden checks are not satisfied');
    expect(stage.prompts('one')[1]).toContain('Think of every number.');
    expect(eventsIn(stage, 'sealed.judged')).toMatchObject([{ green: false }, { green: true }]);
    expect(run.stderr).toContain('Sealed checks not satisfied');
  });

  it('stop the run for a person after three red results, and nothing is merged', async () => {
    await using stage = await openWorkStage(['one'], `${BAD}; work; claim`, { files });
    const run = await stage.work('--unproven-tries', '9', ...seal(stage, { checks: CHECKS }));
    expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'sealed_red' } });
    expect(stage.merged()).toEqual([]);
    expect(eventsIn(stage, 'sealed.begun')).toHaveLength(3);
    expect(JSON.stringify(stage.journal())).not.toContain('[20,22]');
  });

  it('judge what is held as well: a person accepts only what satisfies them', async () => {
    const wrong = `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from '../add.js';\ntest('adds', () => assert.strictEqual(add(1, 2), 4));\n`;
    const mends = (body: string, sum: number) => `${body}; sed -i 's/2), [0-9]/2), ${sum}/' test/add.test.js; work; claim`;
    const agent = `[ "$nth" = 1 ] && { ${mends(BAD, 2)}; exit 0; }\n${mends(GOOD, 3)}`;
    await using stage = await openWorkStage(['one'], agent, { files: { ...files, 'test/add.test.js': wrong } });
    const run = await stage.work('--check', 'node --test', ...seal(stage, { checks: CHECKS }));

    expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'held' } });
    expect(eventsIn(stage, 'sealed.judged').map(({ green }) => green)).toEqual([false, true, true]);
    expect(stage.merged()).toEqual([]);
    const accepted = await stage.ralph('accept', '--json');
    expect(accepted, accepted.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(eventsIn(stage, 'claim.allowed')).toMatchObject([{ task: 'one', paths: ['test/add.test.js'] }]);
    expect(stage.merged()).toEqual(['one']);
    expect(stage.repo.git('show', 'main:add.js')).toContain('a + b');
  });
});
