import { describe, expect, it } from 'vitest';
import { play } from '../../../test/support/play-on-console.ts';
import { closed, ended } from '../../../test/support/run-events.ts';
import { forStory, shownOfWork as shown, stoppedWith, working } from '../../../test/support/work-console.ts';
import { begun, doneTask, failedTask, none, released, settled, unfinishedTask } from '../../../test/support/work-journal.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { notDone } from '../../journal/words/outcome.ts';

const allComplete = stoppedWith(notDone('completed', 'All tasks complete', 0));
const linesOf = (...args: Parameters<typeof shown>) => shown(...args).split('\n');

describe('a plan without a ready task', () => {
  const blocked = none({ reason: 'all-blocked', counts: { total: 4, complete: 1, in_progress: 0, blocked: 3, failed: 0 }, detail: 'T-2 is blocked' });

  it('is reported with the reason, never as a success', () => {
    const text = shown([blocked, stoppedWith(notDone('blocked', 'No tasks available: T-2 is blocked', 0))], forStory('S-012'));
    expect(text).toContain('⏸ No tasks available for story S-012 (all-blocked: 1 of 4 complete, 3 blocked)\nT-2 is blocked\n');
    expect(text).not.toContain('All tasks complete');
  });

  it('is reported as complete for its story', () => {
    expect(shown([none(), allComplete], forStory('S-012'))).toContain('✓ All tasks complete for story S-012!\n');
  });

  it('says once that it waits for another run, and never while a worker is busy', () => {
    const waits = none({ reason: 'all-claimed', held: true, detail: 'T-1 is held by r/1' });
    const line = '⏳ No task is ready yet: T-1 is held by r/1';
    expect(linesOf([waits, waits]).filter((each) => each === line)).toHaveLength(1);
    expect(shown([...begun(1, 'T'), waits])).not.toContain(line);
  });

  it('is reported as unreadable only when that changes', () => {
    const trouble = (why: string): EventBody => ({ type: 'plan.troubled', key: 'k', why });
    expect(linesOf([trouble('a'), trouble('a'), trouble('b')])).toEqual([
      '⚠ The plan cannot be worked on: a (looking again)',
      '⚠ The plan cannot be worked on: b (looking again)',
      '',
    ]);
  });
});

describe('the end of a run on a plan', () => {
  it('counts how the tasks ended', () => {
    const text = shown([...doneTask(1, 'a'), ...unfinishedTask(2, 'b'), ...failedTask(3, 'c'), stoppedWith(notDone('stuck', 'x'))], forStory('S-1'));
    expect(text).toMatch(
      /\n {2}outcome {5}stuck \(exit 1\)\n {2}story {7}S-1\n {2}tasks {7}1 completed, 1 failed, 1 not completed\n {2}took {8}\d+s, 3 iterations, .*\n {2}spent .*\n {2}needs you {3}2 failed \(ralph inbox\)\n$/,
    );
  });

  it('counts refused claims and conflicts when there are any', () => {
    const conflict = [...begun(1, 'a'), ended(1), settled(1), released(1, 'a', 'conflict'), closed(1)];
    const unproven = [...begun(2, 'b'), ended(2), settled(2), released(2, 'b', 'free'), closed(2)];
    const text = shown([...conflict, ...unproven, stoppedWith(notDone('stuck', 'x'))]);
    expect(text).toContain('  tasks       0 completed, 0 failed, 1 not proven, 1 in conflict\n');
  });

  it('counts the tries that were parked as tries, because one task may be parked twice', () => {
    const parked = (number: number) => [...begun(number, 'a'), ended(number), settled(number), released(number, 'a', 'parked'), closed(number)];
    const end = stoppedWith(notDone('stuck', 'x'));
    expect(shown([...parked(1), end])).toMatch(/tasks .*1 try parked/);
    expect(shown([...parked(1), ...parked(2), end])).toMatch(/tasks .*2 tries parked/);
  });

  it('says how the tasks of the plan stand where tries say something else', () => {
    const unproven = [...begun(1, 'b'), ended(1), settled(1), released(1, 'b', 'free'), closed(1)];
    const counts = { total: 4, complete: 2, in_progress: 0, blocked: 1, failed: 1, parked: 1 };
    const text = shown([...unproven, ...doneTask(2, 'a'), none({ reason: 'all-blocked', counts }), stoppedWith(notDone('waiting', 'x'))]);
    expect(text).toContain('\n  tasks       2 of 4 completed, 1 failed, 1 parked\n  tries       1 completed, 0 failed, 1 not proven\n');
  });

  it('says how many tasks are complete of those that were there, also if it ends before it has tried them all', () => {
    const [taken, ...rest] = doneTask(1, 'a');
    const first = { ...taken, total: 8, complete: 3 } as EventBody;
    const text = shown([first, ...rest, ...failedTask(2, 'b'), stoppedWith(notDone('max_iterations', 'x'))]);
    expect(text).toContain('\n  tasks       4 of 8 completed, 1 failed\n  tries       1 completed, 1 failed\n');
  });

  it('says who interrupted it', () => {
    const asked = (what: 'drain' | 'abort'): EventBody => ({ type: 'operator.asked', what, by: 'SIGINT' });
    const text = shown([
      ...begun(1, 'T'),
      asked('drain'),
      asked('abort'),
      stoppedWith({ ...notDone('interrupted', 'Interrupted by SIGINT', 130), signal: 'SIGINT' }),
    ]);
    expect(text).toContain('\n🛑 Interrupted by user (SIGINT)\nWaiting up to 1m for running agents. Press Ctrl-C again to stop now.\n\nStopping now.\n');
    expect(text.match(/🛑/g)).toHaveLength(1);
  });

  it('is two lines with --quiet', () => {
    const text = play([working(), ...doneTask(1, 'T'), none(), allComplete], { quiet: true });
    expect(text).toBe(
      '✓ All tasks complete!\nUNPROVEN: some of them have no check and no declared output\ncompleted: 1 completed, 0 failed, 13s, 1 iteration, 1 attempt, cost unknown\n',
    );
  });
});

describe('a paused run', () => {
  it('says that it is paused, and when it continues', () => {
    const asked = (what: 'pause' | 'go-on'): EventBody => ({ type: 'operator.asked', what, by: 'ralph runs' });
    expect(shown([asked('pause'), asked('go-on')])).toBe('\nPaused by ralph runs: what has begun continues, nothing new starts.\n\nResumed by ralph runs.\n');
  });
});
