import { describe, expect, it } from 'vitest';
import { doneTask, failedTask, none, released, taken } from '../../../test/support/work-journal.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { SeenTask } from '../../journal/events/work.ts';
import { openPlanTasks } from './plan-tasks.ts';

const seen = (id: string, standing: SeenTask['standing'], needs: readonly string[] = []): SeenTask => ({ id, title: '', needs: [...needs], standing });

function standingsAfter(...bodies: readonly EventBody[]): readonly string[] | undefined {
  const fold = openPlanTasks();
  for (const body of bodies) fold.add(body);
  return fold.tasks()?.map(({ id, standing }) => `${id} ${standing}`);
}

const PLAN = { whole: true, tasks: [seen('A', 'ready'), seen('B', 'waiting', ['A']), seen('C', 'ready')] };

describe('the tasks of a run', () => {
  it('stand at each moment as its journal says until then, not as the plan says later', () => {
    const journal = doneTask(1, 'A').map((body) => (body.type === 'task.taken' ? { ...body, plan: PLAN } : body));
    const taking = journal.slice(0, 1);
    expect(standingsAfter(...taking)).toEqual(['A held', 'B waiting', 'C ready']);
    expect(standingsAfter(...journal)).toEqual(['A complete', 'B ready', 'C ready']);
    expect(standingsAfter(...journal, ...failedTask(2, 'C'))).toEqual(['A complete', 'B ready', 'C failed']);
    const elsewhere = none({ plan: { whole: false, tasks: [seen('C', 'held')] } });
    expect(standingsAfter(...journal, elsewhere)).toEqual(['A complete', 'B ready', 'C held']);
    expect(standingsAfter(...journal, none({ plan: { whole: true, tasks: [seen('D', 'ready')] } }))).toEqual(['D ready']);
  });

  it('that are given back can be taken again, and one that another has taken meanwhile is left as it is', () => {
    const begun = [taken('C', { plan: PLAN })];
    expect(standingsAfter(...begun, released(1, 'C', 'free'))).toEqual(['A ready', 'B waiting', 'C ready']);
    expect(standingsAfter(...begun, released(1, 'C', 'done', false))).toContain('C held');
    const parked = [...begun, released(1, 'C', 'parked')];
    expect(standingsAfter(...parked)).toContain('C parked');
    expect(standingsAfter(...parked, { type: 'task.answered', key: '', task: 'C', was_ours: true })).toContain('C ready');
  });

  it('of a journal that does not have the plan are those that it took', () => {
    expect(standingsAfter()).toBeUndefined();
    expect(standingsAfter(...doneTask(1, 'A'), ...failedTask(2, 'B'))).toEqual(['A complete', 'B failed']);
  });
});
