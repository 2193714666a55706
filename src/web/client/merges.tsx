import { heldWhy } from '../../report/needs/agent-said.ts';
import type { MergeView } from '../view/page.ts';
import { clock, duration } from './format.ts';
import { chooseTask } from './graph.tsx';
import { nowMs, page } from './state.ts';

const WORDS: Readonly<Record<MergeView['state'], readonly [name: string, tone: string]>> = {
  judged: ['checked first', 'open'],
  queued: ['waits its turn', 'busy'],
  merging: ['is being merged', 'open'],
  merged: ['merged', 'good'],
  red: ['red when merged', 'bad'],
  held: ['held for you', 'busy'],
  conflict: ['conflict', 'bad'],
  moved: ['base had moved', ''],
  failed: ['failed', 'bad'],
};

/** What is to be merged, in its order, and what became of the earlier merges. */
export function Merges() {
  const merges = page.value?.merges ?? [];
  if (merges.length === 0) return <p class="empty">Nothing was merged yet, and nothing waits. Only a run on a plan merges tasks.</p>;
  return (
    <div class="scrolls">
      <table class="merges">
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">State</th>
            <th scope="col">When</th>
            <th scope="col">Commit</th>
            <th scope="col">Made ready</th>
          </tr>
        </thead>
        <tbody>
          {merges.map((merge) => (
            <Merge key={`${merge.iteration} ${merge.state} ${merge.since}`} merge={merge} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Merge({ merge: { task, since, at, state, why, commit, unlocked } }: { readonly merge: MergeView }) {
  const [name, tone] = WORDS[state];
  return (
    <tr>
      <td>
        <button type="button" class="link" onClick={() => chooseTask(task)}>
          {task}
        </button>
      </td>
      <td>
        <span class={`tag ${tone}`}>{name}</span> <span class="dim untrusted">{heldWhy(why)}</span>
      </td>
      <td>{at === null ? `for ${duration(nowMs.value - since)}` : clock(at, true)}</td>
      <td>{commit === null ? '' : <code>{commit.slice(0, 7)}</code>}</td>
      <td>{unlocked.join(', ')}</td>
    </tr>
  );
}
