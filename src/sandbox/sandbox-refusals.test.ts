import { expect, it } from 'vitest';
import type { EventBody } from '../journal/events/journal-event.ts';
import { emptyState } from '../journal/state/state.ts';
import { watchRefusals } from './sandbox-refusals.ts';

function listening() {
  const told: EventBody[] = [];
  const tell = async (event: EventBody) => {
    told.push(event);
    return true;
  };
  return { told, tell };
}

it('a refusal is reported once for each target, even one from before the run has started', async () => {
  const { told, tell } = listening();
  const { refuse, watcher } = watchRefusals();
  refuse({ what: 'network', target: 'evil.example:443' });
  const started = watcher(tell, () => emptyState);
  refuse({ what: 'network', target: 'evil.example:443' });
  refuse({ what: 'planted', target: '.git/config' });
  expect(told).toEqual([
    { type: 'wall.refused', what: 'network', target: 'evil.example:443' },
    { type: 'wall.refused', what: 'planted', target: '.git/config' },
  ]);
  await started[Symbol.asyncDispose]();
});

it('an agent that tries many targets does not fill the journal', () => {
  const { told, tell } = listening();
  const { refuse, watcher } = watchRefusals();
  watcher(tell, () => emptyState);
  for (let port = 1; port <= 10_000; port += 1) refuse({ what: 'network', target: `127.0.0.1:${port}` });
  expect(told.length).toBe(200);
});
