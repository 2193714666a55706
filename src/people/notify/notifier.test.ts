import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { given, runStarted, writer } from '../../../test/support/given.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { until } from '../../../test/support/until.ts';
import { doneTask, failedTask } from '../../../test/support/work-journal.ts';
import { workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import { notDone } from '../../journal/words/outcome.ts';
import type { NoticeEvent } from '../channels/channel.ts';
import { command } from '../channels/command.ts';
import { openTold } from './channel-queue.ts';
import { openNotifier } from './notifier.ts';

const stuck: EventBody = { type: 'run.stopped', outcome: notDone('stuck', 'Stuck') };
const resumed: EventBody = { type: 'run.resumed', ralph: '1', writer };

/** A run whose only channel appends each message to a file. */
async function openStage(over: { readonly run?: string; readonly events?: readonly NoticeEvent[]; readonly intervalMs?: number } = {}) {
  const folder = await openThrowAwayFolder();
  const file = join(folder.path, 'messages');
  const warnings: string[] = [];
  await writeFile(file, '');
  const options = { run: over.run ?? `cat >> '${file}'` };
  const channel = { name: 'command', events: over.events ?? ['needs_you', 'ended'], options, channel: command };
  const messages = async () =>
    (await readFile(file, 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { readonly title: string; readonly lines: readonly string[]; readonly more: number });
  /** Plays the events after the past one by one. */
  const play = async (past: readonly JournalEvent[], events: readonly JournalEvent[]) => {
    const notifier = openNotifier({
      ...{ channels: [channel], intervalMs: over.intervalMs ?? 0, told: await openTold(folder.path, past.at(-1)?.seq ?? 0), past, project: 'shop' },
      ...{ cwd: folder.path, env: { PATH: process.env['PATH'] ?? '' }, hide: (text) => text, warn: (text) => warnings.push(text), nowMs: Date.now },
    });
    let state = past.reduce(evolve, emptyState);
    for (const event of events) {
      state = evolve(state, event);
      notifier.onEvent(event, state);
    }
    return notifier;
  };
  return { folder, messages, play, warnings, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const journal = (...bodies: readonly EventBody[]) => given(runStarted(workSettings({})), ...bodies);

describe('a run that tells people', () => {
  it('sends one message about everything that happened shortly before its end', async () => {
    await using stage = await openStage();
    const notifier = await stage.play([], journal(...failedTask(1, 'T-1'), ...failedTask(2, 'T-2'), stuck));
    await notifier.close?.();
    const [message, ...others] = await stage.messages();
    expect(others).toEqual([]);
    expect(message?.lines).toHaveLength(4);
    expect(message?.lines[0]).toMatch(/^Stuck/);
  });

  it('sends no second message within the interval, and counts what it missed into the next', async () => {
    await using stage = await openStage({ events: ['proven', 'ended'], intervalMs: 600_000 });
    const events = journal(...doneTask(1, 'T-1'), ...Array.from({ length: 20 }, (_, at) => doneTask(at + 2, `T-${at + 2}`)).flat(), stuck);
    const first = 1 + doneTask(1, 'T-1').length;
    const notifier = await stage.play([], events.slice(0, first));
    await until('the first message is sent', async () => (await stage.messages()).length === 1);
    let state = events.slice(0, first).reduce(evolve, emptyState);
    for (const event of events.slice(first)) {
      state = evolve(state, event);
      notifier.onEvent(event, state);
    }
    await notifier.close?.();
    expect((await stage.messages()).map(({ more, lines }) => [more, lines.length])).toEqual([
      [0, 2],
      [13, 10],
    ]);
  });

  it('tells nothing twice after a resume, and what it had no time to tell', async () => {
    await using stage = await openStage();
    const past = journal(...failedTask(1, 'T-1'));
    const first = await stage.play([], past);
    await first.close?.();
    // The second failure is journaled, and the loop dies before anybody is told.
    const all = journal(...failedTask(1, 'T-1'), ...failedTask(2, 'T-2'), resumed, stuck);
    const second = await stage.play(all.slice(0, -2), all.slice(-2));
    await second.close?.();
    const lines = (await stage.messages()).map((message) => message.lines.map((line) => line.slice(0, 5)));
    expect(lines).toEqual([
      ['T-1: ', 'ralph'],
      ['Stuck', 'T-2: ', 'ralph'],
    ]);
  });

  it('counts everything as told when it cannot read what it has told', async () => {
    await using stage = await openStage();
    await writeFile(join(stage.folder.path, 'notified.json'), '{"command":');
    const all = journal(...failedTask(1, 'T-1'), resumed, stuck);
    await (await stage.play(all.slice(0, -2), all.slice(-2))).close?.();
    expect((await stage.messages()).map(({ lines }) => lines.length)).toEqual([2]);
  });

  it('waits a few seconds at most for a channel that hangs, and says so', async () => {
    await using stage = await openStage({ run: 'sleep 1000' });
    const notifier = await stage.play([], journal(stuck));
    const startedMs = performance.now();
    await notifier.close?.();
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    expect(stage.warnings).toEqual(['command was not told: it was stopped']);
  });
});
