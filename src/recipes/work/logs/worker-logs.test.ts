import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../../test/support/given.ts';
import { begun, doneTask } from '../../../../test/support/work-journal.ts';
import { planTask, workSettings } from '../../../../test/support/work-spec.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import { evolve } from '../../../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../../journal/state/state.ts';
import type { AgentEvent } from '../../../journal/words/agent-event.ts';
import { keepWorkerLogs } from './work-status.ts';

let folder: string;
let warnings: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ralph-lanes-'));
  warnings = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const start = runStarted(workSettings({}, { lanes: 2 }));
type Said = { readonly attempt: string; readonly said: AgentEvent };

async function keep(moments: readonly (EventBody | Said)[]): Promise<void> {
  const hide = (text: string) => text.replaceAll('hunter2', '***');
  const projection = keepWorkerLogs(folder, { nowMs: () => 0, hide, warn: (text) => warnings.push(text) });
  let state: RunState = emptyState;
  let seq = 0;
  for (const moment of moments) {
    if ('said' in moment) projection.onAgentEvent?.(moment.attempt, moment.said);
    else {
      seq += 1;
      const [event] = given(moment);
      if (!event) continue;
      state = evolve(state, { ...event, seq });
      projection.onEvent(event, state);
    }
  }
  await projection.close?.();
}

const logOf = async (lane: number) => await readFile(join(folder, `ralph-worker-${lane}.log`), 'utf8');
const say = (attempt: string, text: string): Said => ({ attempt, said: { type: 'message', text } });

describe('the log of a worker', () => {
  it('has what the console shows of it, and nothing of the others', async () => {
    await keep([start, ...begun(1, 'T-1', { lane: 1 }), ...begun(2, 'T-2', { lane: 2 }), say('2.1', 'hello'), ...doneTask(3, 'T-3', 1)]);
    const [one, two] = [await logOf(1), await logOf(2)];
    expect(one).toMatch(/^\[1970-01-01T00:00:00\.000Z\] \[r\] \[1\] Task: T-1 {2}Title of T-1\n/);
    expect(one).toContain('[r]     [OK] Merged into main (abc1234)\n');
    expect(two).toContain('[r] [2] Task: T-2');
    expect(two).toContain('[r]       hello\n');
    expect(`${one}${two}`.match(/hello|T-3/g)).toEqual(['T-3', 'T-3', 'hello']);
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('contains no terminal escapes and no secrets', async () => {
    const task = planTask('T', { title: 'a\u001b[2J\r\nb' });
    await keep([start, ...begun(1, 'T', { task }), say('1.1', 'the key is hunter2 \u001b]0;x\u0007')]);
    expect((await logOf(1)).replaceAll('\n', '')).not.toMatch(/\p{Cc}|hunter2/u);
  });

  it('ends before it fills the disk', async () => {
    const flood = Array.from({ length: 2_600 }, () => say('1.1', 'x'.repeat(8_000)));
    await keep([start, ...begun(1, 'T'), ...flood]);
    const text = await logOf(1);
    expect(text.length).toBeLessThan(18 * 1024 * 1024);
    expect(text).toMatch(/no more of this run is written here; the run's folder has all of it\.\n$/);
  });

  it('warns once when it cannot be written, and does not stop the run', async () => {
    await mkdir(join(folder, 'ralph-worker-1.log'));
    await keep([start, ...doneTask(1, 'T')]);
    expect(warnings).toEqual([expect.stringContaining('EISDIR')]);
  });
});
