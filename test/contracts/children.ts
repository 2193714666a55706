import { describe, expect, it } from 'vitest';
import type { Children } from '../../src/engine/ports/supervision.ts';
import type { ChildRequest } from '../../src/journal/effects/task-effect.ts';
import { never } from '../support/process-request.ts';
import { until } from '../support/until.ts';

/** What a child of the suite does. */
export type Manner = 'works until it is ended' | 'is deaf to signals' | 'ends at once' | 'complains and ends';

export const COMPLAINT = 'error: there is no such agent';

/** Children whose prompt says what they do. */
export function childRequest(run: string, manner: Manner): ChildRequest {
  return { run, parent: 'the-parent', task: null, agent: null, model: null, checks: [], cwd: null, idle_ms: null, run_ms: null, prompt: manner };
}

/** The contract of children; `fresh` returns those of a parent without children. */
export function honoursTheChildrenContract(name: string, fresh: () => Promise<Children>): void {
  describe(`${name} honour the children's contract`, () => {
    it('are running once they are started, and are found by their run', async () => {
      const children = await fresh();
      const started = await children.start(childRequest('child-a', 'works until it is ended'), never);
      await children.start(childRequest('child-b', 'works until it is ended'), never);
      expect([...(await children.active())].sort()).toEqual(['child-a', 'child-b']);
      expect(started).toMatchObject({ kind: 'started', identity: await children.find('child-a') });
      expect(await children.end(['child-a', 'child-b'])).toMatchObject({ left: [] });
    });

    it('that cannot start are refused with their own error, and do not exist', async () => {
      const children = await fresh();
      expect(await children.start(childRequest('child-a', 'complains and ends'), never)).toEqual({ kind: 'refused', why: COMPLAINT });
      expect(await children.active()).toEqual([]);
      expect(await children.find('child-a')).toBeNull();
    });

    it('that have ended are no longer running, but are still found', async () => {
      const children = await fresh();
      expect(await children.start(childRequest('child-a', 'ends at once'), never)).toMatchObject({ kind: 'started' });
      await until('it has ended', async () => (await children.active()).length === 0);
      expect(await children.find('child-a')).not.toBeNull();
    });

    it('can be stopped one by one, and the others continue', async () => {
      const children = await fresh();
      for (const run of ['child-a', 'child-b']) await children.start(childRequest(run, 'works until it is ended'), never);
      expect(await children.end(['child-a'])).toEqual({ ended: ['child-a'], left: [] });
      expect(await children.active()).toEqual(['child-b']);
      expect(await children.end(['child-b'])).toMatchObject({ left: [] });
    });

    it('that were never started are not found, and stopping them does nothing', async () => {
      const children = await fresh();
      expect(await children.find('a-stranger')).toBeNull();
      expect(await children.end(['a-stranger'])).toEqual({ ended: [], left: [] });
    });

    it('are refused if the run ends before they have started', async () => {
      const children = await fresh();
      const over = AbortSignal.abort('the run is over');
      const answer = await children.start(childRequest('child-a', 'works until it is ended'), over);
      if (answer.kind === 'started') expect(await children.end(['child-a'])).toMatchObject({ left: [] });
      expect(await children.active()).toEqual([]);
    });
  });
}
