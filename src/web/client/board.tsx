import { heldWhy } from '../../report/needs/agent-said.ts';
import type { RunPage, TaskNode } from '../view/page.ts';
import { chooseTask, STANDINGS } from './graph.tsx';
import { chosenTask, page } from './state.ts';

interface Column {
  readonly name: string;
  readonly holds: readonly TaskNode['standing'][];
}

const COLUMNS: readonly Column[] = [
  { name: 'Waiting', holds: ['waiting', 'blocked'] },
  { name: 'Ready', holds: ['ready'] },
  { name: 'At work', holds: ['held'] },
  { name: 'Needs you', holds: ['parked', 'failed', 'conflict'] },
  { name: 'Done', holds: ['complete'] },
];

/** Every task in the column of its state. A run without a plan is one task. */
export function Board() {
  const shown = page.value;
  if (shown === null) return null;
  const tasks = shown.tasks ?? [wholeRun(shown)];
  const factsOf = factsIn(shown.report);
  return (
    <div class="board">
      {COLUMNS.map(({ name, holds }) => {
        const inside = tasks.filter(({ standing }) => holds.includes(standing));
        return (
          <section key={name} class="column" aria-label={`${name}: ${inside.length}`}>
            <h3>
              {name} <span class="count">{inside.length}</span>
            </h3>
            <ul class="plain">
              {inside.map((task) => (
                <li key={task.id}>
                  <Card task={task} facts={factsOf(task.id)} />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function wholeRun({ report, watch, run_id }: RunPage): TaskNode {
  const isLeft = report.not_proven.some(({ waits_for_a_person }) => waits_for_a_person);
  const standing = report.done ? 'complete' : isLeft ? 'parked' : watch.standing === 'running' ? 'held' : 'failed';
  return { id: run_id, title: report.title, needs: [], standing };
}

interface Facts {
  readonly tries: number | undefined;
  readonly level: string | null | undefined;
  readonly why: string | undefined;
}

/** A plan may have 500 tasks, so each list is gone through once. */
function factsIn({ by_task, proven, not_proven }: RunPage['report']): (id: string) => Facts {
  const tries = new Map(by_task.map(({ task, iterations }) => [task, iterations]));
  const levels = new Map(proven.map(({ task, level }) => [task, level]));
  const whys = new Map(not_proven.map(({ task, why }) => [task, why]));
  return (id) => ({ tries: tries.get(id), level: levels.get(id), why: whys.get(id) });
}

function Card({ task: { id, title, standing }, facts: { tries, level, why } }: { readonly task: TaskNode; readonly facts: Facts }) {
  const facts = [tries === undefined ? '' : `${tries} ${tries === 1 ? 'try' : 'tries'}`, level ? `proof: ${level}` : ''];
  return (
    <button type="button" class={`card ${standing}`} aria-pressed={chosenTask.value === id} onClick={() => chooseTask(id)}>
      <span class="card-head">
        <strong class="ellipsis">{id}</strong>
        {['failed', 'conflict', 'blocked'].includes(standing) ? <span class="dim small">{STANDINGS[standing]}</span> : null}
      </span>
      <span class="untrusted">{title}</span>
      {why && standing !== 'held' ? <span class="dim small untrusted clamp">{heldWhy(why)}</span> : null}
      <span class="dim small">{facts.filter(Boolean).join(' · ')}</span>
    </button>
  );
}
