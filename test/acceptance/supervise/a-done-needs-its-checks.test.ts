import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bodiesOf, eventsIn, openSuperviseStage, type SuperviseStage } from '../../support/supervise-stage.ts';

const DONE = ': >"$TASK_FOLDER/DONE"';
/** Claims to be done in every start, and really is in the third. */
const LIAR = `[ "$life" -lt 3 ] || : >"$here/work"; ${DONE}`;
const check = (stage: SuperviseStage) => `test -e ${join(stage.beside, 'work')} || { echo $((40 + 2)) steps are missing; exit 1; }`;
const claims = (stage: SuperviseStage) =>
  readdirSync(stage.task)
    .filter((name) => name.startsWith('DONE'))
    .sort();

describe.concurrent('a DONE with a red check', () => {
  it('is renamed and reported to the next start of the agent, and counts when the check is green', async () => {
    await using stage = await openSuperviseStage(LIAR);
    const run = await stage.supervise('--check', check(stage), '-p', 'Do the work.');
    const [first = '', second = '', third = ''] = stage.prompts();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true, unproven: false, restarts: 3 } });
    expect(claims(stage)).toEqual(['DONE', 'DONE.refused-1', 'DONE.refused-2']);
    expect(first).not.toContain('42 steps are missing');
    for (const prompt of [second, third]) expect(prompt).toContain('42 steps are missing');
    for (const prompt of [second, third]) expect(prompt).toContain('DONE was refused');
    expect(bodiesOf(stage.messages(), 'WARNING').filter((body) => body.startsWith('DONE was refused'))).toHaveLength(2);
    expect(stage.projectMessages()).toHaveLength(1);
  });

  it('before the start is refused: the agent runs, and its prompt says why', async () => {
    await using stage = await openSuperviseStage(`: >"$here/work"; ${DONE}`);
    await stage.put('DONE', 'I was here first');
    const run = await stage.supervise('--check', check(stage), '-p', 'Do the work.');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', unproven: false, restarts: 1 } });
    expect(claims(stage)).toEqual(['DONE', 'DONE.refused-1']);
    expect(stage.prompts()[0]).toContain('42 steps are missing');
  });

  it('is not refused if the check is green: no agent runs', async () => {
    await using stage = await openSuperviseStage('exit 1');
    await stage.put('DONE');
    const run = await stage.supervise('--check', 'true');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', unproven: false, restarts: 0 } });
    expect(stage.lives()).toEqual([]);
  });

  it('in the last allowed start is not done', async () => {
    await using stage = await openSuperviseStage(DONE);
    const run = await stage.supervise('--check', 'false', '--max-restarts', '2');

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts', done: false, restarts: 2 } });
    expect(claims(stage)).toEqual(['DONE.refused-1', 'DONE.refused-2']);
    expect(stage.projectMessages()).toEqual([]);
  });

  it('does not overwrite an older refused DONE', async () => {
    await using stage = await openSuperviseStage(LIAR);
    await stage.put('DONE.refused-1', 'of an earlier run');
    await stage.supervise('--check', check(stage));

    expect(claims(stage)).toEqual(['DONE', 'DONE.refused-1', 'DONE.refused-2', 'DONE.refused-3']);
  });

  it('is refused again by a resumed run, with the next number', async () => {
    await using stage = await openSuperviseStage(LIAR);
    const first = await stage.supervise('--check', check(stage), '--max-restarts', '1');
    await stage.put('DONE', 'by somebody else');
    const resumed = await stage.ralph('runs', 'resume', '--json');

    expect(first, first.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts', restarts: 1 } });
    expect(resumed, resumed.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts', restarts: 1 } });
    expect(claims(stage)).toEqual(['DONE.refused-1', 'DONE.refused-2']);
  });

  it('needs all of several checks to be green', async () => {
    await using stage = await openSuperviseStage(DONE);
    const run = await stage.supervise('--check', 'true', '--check', 'echo second; false', '--max-restarts', '1');

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts' } });
    expect(bodiesOf(stage.messages(), 'WARNING')[0]).toContain('echo second; false');
  });
});

describe.concurrent('checks', () => {
  it('are not run without a DONE', async () => {
    await using stage = await openSuperviseStage('exit 0');
    await stage.supervise('--check', `touch ${join(stage.beside, 'checked')}`, '--max-restarts', '2');

    expect(eventsIn(stage, 'gates.judged')).toEqual([]);
    expect(readdirSync(stage.beside)).not.toContain('checked');
  });

  it('are required with --require-proof', async () => {
    await using stage = await openSuperviseStage(DONE);

    expect(await stage.supervise('--require-proof')).toMatchObject({ code: 2, result: { stop_reason: 'fatal' } });
    expect(await stage.supervise('--require-proof', '--check', 'true')).toMatchObject({ code: 0, result: { unproven: false } });
  });

  it('leave no process running', async () => {
    await using stage = await openSuperviseStage(DONE);

    expect(await stage.supervise('--check', 'setsid sleep 600 >/dev/null 2>&1 & true')).toMatchObject({ code: 0 });
  });
});
