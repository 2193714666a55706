import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../../test/support/given.ts';
import { failedLife, life, looked } from '../../../../test/support/supervise-journal.ts';
import { superviseSettings } from '../../../../test/support/supervise-spec.ts';
import { openThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import type { Projection } from '../../../engine/contracts.ts';
import type { Bus } from '../../../engine/ports/supervision.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import { evolve } from '../../../journal/evolve/evolve.ts';
import type { NewBusMessage } from '../../../journal/messages.ts';
import { emptyState } from '../../../journal/state/state.ts';
import { postOnTaskBus } from './task-bus.ts';

/** A bus with a given behaviour for each message. */
function busThat(post: (message: NewBusMessage) => Promise<void>): Bus {
  return {
    path: '/bus',
    post: async (message) => {
      await post(message);
      return 'MSG-1';
    },
    last: async () => [],
    since: async () => [],
    bytesSince: async () => 0,
  };
}

const placeIn = (runFolder: string) => ({ markerPrefix: 'r~1', workspace: runFolder, runFolder, viewFolder: runFolder });

function show(projection: Projection, bodies: readonly EventBody[]): void {
  let state = emptyState;
  for (const event of given(runStarted(superviseSettings()), ...bodies)) {
    state = evolve(state, event);
    projection.onEvent(event, state);
  }
}

const lives = (count: number) => Array.from({ length: count }, (_, index) => [...life(index + 1), looked()]).flat();

describe('the bus of a task', () => {
  it('gets every message in order, and closing waits for the last', async () => {
    const got: string[] = [];
    let atOnce = 0;
    const bus = busThat(async ({ type }) => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      got.push(type);
      atOnce -= 1;
    });
    const projection = postOnTaskBus(bus, placeIn('/nowhere'));
    show(projection, lives(2));
    await projection.close?.();
    expect(got).toEqual(['INFO', 'RUN_START', 'RUN_STOP', 'INFO', 'RUN_START', 'RUN_STOP']);
  });

  it('gets the last words of an agent that crashed', async () => {
    await using folder = await openThrowAwayFolder();
    const attempt = join(folder.path, 'iterations/001/1-work');
    await mkdir(attempt, { recursive: true });
    await writeFile(join(attempt, 'agent.stderr'), 'Segmentation fault\n');
    const bodies: string[] = [];
    const projection = postOnTaskBus(
      busThat(async ({ body }) => void bodies.push(body)),
      placeIn(folder.path),
    );
    show(projection, failedLife(1));
    await projection.close?.();
    expect(bodies).toContain('run stopped with code 1: agent reported failure\n\n## stderr (last 50 lines)\n\nSegmentation fault');
  });

  it('does not stop the run when it fails now and then', async () => {
    let posts = 0;
    const got: string[] = [];
    const bus = busThat(async ({ type }) => {
      posts += 1;
      if (posts === 2) throw new Error('locked');
      got.push(type);
    });
    const projection = postOnTaskBus(bus, placeIn('/nowhere'));
    show(projection, lives(1));
    await projection.close?.();
    expect(got).toEqual(['INFO', 'RUN_STOP']);
  });

  it('is not used any more after three failures in a row', async () => {
    let posts = 0;
    const bus = busThat(async () => {
      posts += 1;
      throw new Error('no such folder');
    });
    const projection = postOnTaskBus(bus, placeIn('/nowhere'));
    show(projection, lives(20));
    await projection.close?.();
    expect(posts).toBe(3);
  });

  it('queues at most a thousand messages', async () => {
    let posts = 0;
    const bus = busThat(async () => {
      posts += 1;
    });
    const projection = postOnTaskBus(bus, placeIn('/nowhere'));
    show(projection, lives(500));
    await projection.close?.();
    expect(posts).toBe(1000);
  });
});
