import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import type { EventBody } from '../events/journal-event.ts';
import { emptyState } from '../state/state.ts';
import { evolve } from './evolve.ts';

const stateAfter = (...bodies: readonly EventBody[]) => given(runStarted(testSettings()), ...bodies).reduce(evolve, emptyState);
const asked = (what: 'drain' | 'abort', by: string): EventBody => ({ type: 'operator.asked', what, by });

describe("the operator's request", () => {
  it('grows from a drain to an abort, and keeps the name of who asked first', () => {
    expect(stateAfter(asked('drain', 'SIGINT'), asked('abort', 'SIGTERM')).leaving).toEqual({ what: 'abort', by: 'SIGINT' });
  });

  it('never goes back from an abort to a drain', () => {
    expect(stateAfter(asked('abort', 'caller'), asked('drain', 'SIGINT')).leaving).toEqual({ what: 'abort', by: 'caller' });
  });
});

describe('a lost effect', () => {
  it('removes the agent it had spawned from the state, and no other', () => {
    const begun = (attempt: number): EventBody => {
      const key = `run-agent 1.${attempt}`;
      return {
        type: 'effect.begun',
        key,
        effect: {
          kind: 'run-agent',
          key,
          iteration: 1,
          attempt,
          role: 'work',
          prompt: null,
          about: '',
          failures: [],
          maximum: 5,
          context: null,
          previous_life: null,
          until: null,
          budget_usd: null,
        },
      };
    };
    const spawned = (attempt: string): EventBody => ({
      type: 'attempt.spawned',
      attempt,
      host: 'h',
      boot_id: 'b',
      pid: 7,
      start_time: '1',
      command: [],
      prompt_head: '',
    });
    const state = stateAfter(begun(1), spawned('1.1'), begun(2), spawned('1.2'), { type: 'effect.lost', key: 'run-agent 1.1' });
    expect(state.inFlight.map(({ key }) => key)).toEqual(['run-agent 1.2']);
    expect(state.spawned.map(({ attempt }) => attempt)).toEqual(['1.2']);
  });
});
