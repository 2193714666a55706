import type { Plan, PlanTask } from '../../src/journal/words/plan.ts';
import type { TaskRegister } from '../../src/journal/words/task-register.ts';
import type { Hold } from '../../src/plans/graph/standing.ts';

/** A task of which only the given is special. */
export function taskOf(id: string, fields: Partial<PlanTask> = {}): PlanTask {
  return {
    id,
    title: `Title of ${id}`,
    description: '',
    story: null,
    milestones: [],
    tags: [],
    priority: 1,
    complexity: null,
    status: 'pending',
    needs: [],
    outputs: [],
    verify: [],
    path: null,
    ...fields,
  };
}

export function planOf(tasks: readonly PlanTask[], rest: Partial<Plan> = {}): Plan {
  return { project: 'demo', tasks, stories: [], milestones: [], verify: [], ...rest };
}

const PROCESS = { host: 'here', boot_id: 'boot', pid: 7, start_time: '1' };

/** What the register of a task says; as it is here a living run has it. */
export function holdOf(register: Partial<TaskRegister> | null = {}, liveness: Hold['liveness'] = 'alive'): Hold {
  const holder = { name: 'run-1/1', run: 'run-1', lane: 1, process: liveness === 'named' ? null : PROCESS };
  if (register === null) return { n: 1, register: null, liveness };
  return { n: 1, liveness, register: { state: 'held', holder, key: '', at: 0, branch: null, base: null, tries: 0, feedback: '', ...register } };
}

/** One task first, two after it that can go on side by side, and one at the end that also needs what is not there. The right one is held. */
export const diamond = planOf([
  taskOf('T-1', { title: 'Start', status: 'complete' }),
  taskOf('T-2', { title: 'Left', needs: ['T-1'] }),
  taskOf('T-3', { title: 'Right', needs: ['T-1'] }),
  taskOf('T-10', { title: 'End', needs: ['T-2', 'T-3', 'gone'] }),
]);
export const diamondHolds: ReadonlyMap<string, Hold> = new Map([['T-3', holdOf()]]);

/** Names that want to be more than a name, in a terminal or in a picture. */
const HOSTILE = [
  '<b>&"\'</b>',
  ']]> --> n1',
  '"]; click n0 "javascript:x"',
  '%%{init: {}}%%',
  '#quot; `x` $$y$$',
  'a\nb\u0000\u001b[31mc',
  '\ud800\uffff',
  'end',
  '日本語 🎉',
];
export const hostilePlan = planOf(
  HOSTILE.map((text, n) => taskOf(text, { title: text, needs: n === 0 ? [] : HOSTILE.slice(0, 1) })),
  { project: HOSTILE.join('') },
);

/** A hundred chains of a hundred tasks, which also need some of each other. */
export const largePlan = planOf(
  Array.from({ length: 10_000 }, (_, n) =>
    taskOf(`t${n}`, { needs: [...(n % 100 === 0 ? [] : [`t${n - 1}`]), ...(n % 100 < 7 ? [] : [`t${n - 7}`]), ...(n < 100 ? [] : [`t${n - 100}`])] }),
  ),
);
