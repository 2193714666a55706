import type { PlanTask } from '../../src/journal/words/plan.ts';
import type { SettingsWith } from '../../src/settings/schema/run-settings.ts';
import type { WorkSpec } from '../../src/settings/schema/work-spec.ts';
import { type SettingsChange, testSettings } from './run-settings.ts';

/** A crew with everything off that can be off; say only what differs. */
export function workSpec(over: Partial<WorkSpec> = {}): WorkSpec {
  return {
    plan: { kind: 'task-graph', path: 'task-graph.yaml' },
    home: '/project',
    base: 'main',
    filter: { story: null, milestone: null, tags: [] },
    pauseMs: 2_000,
    retryFailed: 0,
    unprovenTries: 2,
    resolveTries: 1,
    template: null,
    promptCommand: null,
    failOnBlocked: false,
    maxFailures: null,
    budget: { costUsd: null, timeMs: 0 },
    prices: {},
    worktree: { root: null, copy: [], link: [], setup: null },
    verifyTimeoutMs: 0,
    logs: '/project/logs',
    ...over,
  };
}

export function workSettings(work: Partial<WorkSpec> = {}, over: SettingsChange = {}): SettingsWith<'work'> {
  return testSettings({ claims: [], gates: [], maximumIterations: 0, ...over, work: workSpec(work) }) as SettingsWith<'work'>;
}

/** A task that nothing stands in the way of; say only what differs. */
export function planTask(id: string, over: Partial<PlanTask> = {}): PlanTask {
  const text = { title: `Title of ${id}`, description: '', story: null, milestones: [], tags: [], priority: 1, complexity: null };
  return { id, ...text, status: 'pending', needs: [], outputs: [], verify: [], path: null, ...over };
}
