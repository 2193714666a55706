import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { deepRows } from '../../support/deep.ts';
import { until } from '../../support/until.ts';
import { type Edge, eventsIn, expectAllDone, openWorkStage, PLAN, planText } from '../../support/work-stage.ts';

vi.setConfig({ maxConcurrency: 3 });

const VERIFY = 'verify: ["test -f A.txt"]';
const TASKS = [['A', VERIFY], 'B'] as const;
const EDGES: readonly Edge[] = [['A', 'B']];

/** What the agent of A does to the plan in its first call, and what the next prompt says. */
const refused = [
  ['marks other tasks complete', `sed -i '/{id: B,/s/pending/complete/' ${PLAN}`, /You may not set the status of `?B/],
  ['deletes a node', `sed -i '/{id: B,/d; /to: B/d' ${PLAN}`, /You may not remove tasks from the plan: it keeps `?B/],
  ['adds a cycle', `echo '  - {from: B, to: A}' >>${PLAN}`, /(may not change the needs of `?A|cannot be read)/],
  ['changes priorities', `sed -i '/{id: B,/s/priority: 1/priority: 0/' ${PLAN}`, /You may not change the priority of `?B/],
  ['removes what proves its task', `sed -i '/{id: A,/s/, verify: .*]//' ${PLAN}`, /You may not change the verify commands of `?A/],
  ['deletes the plan', `rm ${PLAN}`, /cannot be read/],
  ['replaces it by a link', `ln -sf /etc/passwd ${PLAN}`, /cannot be read/],
  ['breaks it', `echo '}}} [' >>${PLAN}`, /cannot be read/],
] as const;

describe.concurrent('an agent that', () => {
  it.each(deepRows('what an agent may change in the plan is a pure rule, with a test of each row', refused, 3))(
    '%s changes nothing, and the next one is told',
    async (_, edit, told) => {
      await using stage = await openWorkStage(TASKS, `[ "$id$nth" = A1 ] && { ${edit}; git commit -qam edit; ralph task complete A; exit; }\nwork; claim`, {
        edges: EDGES,
      });
      const run = await stage.work();

      expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', work: { tasks: { done: 2, unproven: 1 } } } });
      const [first, second] = stage.prompts('A');
      expect(first).not.toMatch(told);
      expect(second).toMatch(told);
      expect(second).toContain('test -f A.txt');
      expectAllDone(stage, ['A', 'B']);
      expect(stage.merged()).toEqual(['A', 'B']);
      expect(stage.plan().replaceAll(/complete, completed_at: "[^"]*"/g, 'pending')).toBe(planText(TASKS, EDGES));
      expect(readFileSync('/etc/passwd', 'utf8')).not.toContain('nodes:');
    },
  );

  it('adds a task and rewords another is allowed to, and the new task is done', async () => {
    const edit = `sed -i '/^nodes:/a\\  - {id: N, title: A new one, priority: 9, status: pending} # on N' ${PLAN}; sed -i 's/Title of B/A better title/' ${PLAN}`;
    await using stage = await openWorkStage(TASKS, `[ "$id" = A ] && { ${edit}; }\nwork; claim; [ "$id" != N ] || ralph task complete N`, { edges: EDGES });
    const run = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { work: { tasks: { done: 3 } } } });
    expect(stage.merged()).toEqual(['A', 'B', 'N']);
    expect(stage.plan()).toContain('A better title');
    expect(stage.plan()).toMatch(/^# The plan\.$/m);
    expect(stage.prompts('B')[0]).toContain('A better title');
    const listed = await stage.ralph('task', 'list', '--json');
    expect(JSON.stringify(listed.result)).toContain('"N"');
  });
});

describe.concurrent('a person who is editing the plan', () => {
  it('makes the run wait until the plan is valid again', async () => {
    await using stage = await openWorkStage(['A', 'B'], '[ "$id" = B ] || { : >"$here/busy"; await go; }\nwork; claim');
    const home = join(stage.repo.path, PLAN);
    const running = stage.begin();
    await stage.made('busy');
    const whole = readFileSync(home, 'utf8');
    await writeFile(home, `${whole}\n}}} [`);
    await stage.make('go');
    await until('the trouble is told', () => eventsIn(stage, 'plan.troubled').length > 0, 40_000);
    expect(stage.calls()).toEqual(['A']);
    await writeFile(home, whole);
    const run = await stage.over(running);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', work: { tasks: { done: 2, failed: 0 } } } });
    expect(run.stderr).toMatch(/task-graph\.yaml:\d+/);
    expectAllDone(stage, ['A', 'B']);
  });
});
