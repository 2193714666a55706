// Deep: 70,000 events take seconds to fold; `node bench/ui.mjs busy` measures the whole server.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { runStarted } from '../../../test/support/given.ts';
import { judged } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { doneTask, failedTask } from '../../../test/support/work-journal.ts';
import { workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { openRunFold } from '../view/run-fold.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const keptBytes = () => {
  collect();
  return process.memoryUsage().heapUsed;
};
const GATE = { command: 'npm test', failAction: 'APPEND', hint: null, timeoutMs: 1_000 } as const;

function bodiesOf(iteration: number): readonly EventBody[] {
  const id = `T-${iteration % 20}`;
  const [first, ...rest] = iteration % 2 === 0 ? doneTask(iteration, id) : failedTask(iteration, id);
  const red = judged(iteration, [[GATE, 1]]);
  const told = red.type === 'gates.judged' ? { ...red, results: red.results.map((each) => ({ ...each, output: `${10_000 + iteration} `.repeat(400) })) } : red;
  const refused: EventBody = { type: 'wall.refused', what: 'network', target: `host-${iteration}.example:443` };
  return first ? [first, ...rest.slice(0, 4), told, refused, ...rest.slice(4)] : [];
}

/** How much more a fold keeps after more iterations than it shows. */
function growth(most: number): number {
  const fold = openRunFold(() => '2026-01-01');
  let seq = 0;
  const add = (body: EventBody) => {
    seq += 1;
    // As it comes from a journal: no two events share a text.
    fold.add({ v: 1, seq, at: seq * 1_000, body: JSON.parse(JSON.stringify(body)) as EventBody });
  };
  const keptAfter = (from: number, to: number) => {
    for (let iteration = from; iteration <= to; iteration += 1) bodiesOf(iteration).forEach(add);
    return keptBytes();
  };
  add(runStarted(testSettings(workSettings())));
  const full = keptAfter(1, 1_000);
  const grown = keptAfter(1_001, most) - full;
  expect([fold.position().seq, fold.bars().length]).toEqual([seq, 500]);
  return grown;
}

it('what the server keeps of a run does not grow any more once the run has had 1,000 iterations', () => {
  // The first time, the compiled code grows too.
  growth(2_000);
  expect(growth(6_000)).toBeLessThan(600_000);
});
