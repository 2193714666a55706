import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectTidy, openWorkStage, WORKS, type WorkStage } from '../../support/work-stage.ts';

async function breakRegister({ repo }: WorkStage, id: string, n: number, text: string): Promise<void> {
  const folder = join(repo.path, '.git', 'ralph', 'registers');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `task%2ftask-graph.yaml%2f${id}@${n}`), text);
}

const broken = [
  ['nonsense', '}{ no json'],
  ['an empty file', ''],
  ['foreign JSON', '{"state":"held","holder":42}'],
] as const;

describe.concurrent('a register that contains', () => {
  it.each(broken)('%s: its task is not taken, the others continue, and ralph task reset repairs it', async (_, text) => {
    await using stage = await openWorkStage(['one', 'two', 'three'], WORKS, { edges: [['one', 'three']] });
    await breakRegister(stage, 'one', 1, text);
    const run = await stage.work();
    const calls = stage.calls();
    const shown = await stage.ralph('task', 'show', 'one');
    const reset = await stage.ralph('task', 'reset', 'one');
    const next = await stage.work();

    expect(run, run.stderr).toMatchObject({ result: { done: false, work: { tasks: { done: 1, failed: 0 } } } });
    expect(calls).toEqual(['two']);
    expect(run.stderr).toMatch(/\bone\b.*(cannot be read|unreadable|task reset)/);
    expect(run.stderr).not.toMatch(/All tasks complete|bug in ralph/);
    expect(shown.stdout + shown.stderr).toMatch(/cannot be read|unreadable/);
    expect(reset, reset.stderr).toMatchObject({ code: 0 });
    expect(next, next.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    expect(stage.merged()).toEqual(['two', 'one', 'three']);
    expectTidy(stage);
  });

  it('nonsense while its task is in progress: its loop gives up the task and loses nothing', async () => {
    await using stage = await openWorkStage(['one', 'two'], '[ "$id" = two ] || { : >"$here/busy"; await go; }\nwork; claim');
    const running = stage.begin();
    await stage.made('busy');
    await breakRegister(stage, 'one', 1, '}{');
    await stage.make('go');
    const run = await stage.over(running);

    expect(run.stderr).not.toContain('bug in ralph');
    expect(stage.statuses()['two']).toBe('complete');
    expect(stage.repo.git('for-each-ref', '--contains', stage.repo.git('log', '--all', '-1', '--grep=work of one', '--format=%H'))).not.toBe('');
  });
});
