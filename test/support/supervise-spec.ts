import type { SettingsWith, SuperviseSpec } from '../../src/settings/schema/run-settings.ts';
import { type SettingsChange, testSettings } from './run-settings.ts';

/** A root agent's task with everything off that can be off; say only what differs. */
export function superviseSpec(over: Partial<SuperviseSpec> = {}): SuperviseSpec {
  return {
    project: 'demo',
    task: 'task-20260115-044055-docs',
    folder: '/tasks/demo/task-20260115-044055-docs',
    parent: null,
    maxRestarts: 100,
    restartDelayMs: 1000,
    backoffMs: 0,
    intensity: null,
    waitTimeoutMs: 300_000,
    pollMs: 1000,
    doneGraceMs: 0,
    waitScope: 'task',
    killChildren: false,
    dependsOn: [],
    failOnBlocked: false,
    env: {},
    ...over,
  };
}

export function superviseSettings(supervise: Partial<SuperviseSpec> = {}, over: SettingsChange = {}): SettingsWith<'supervise'> {
  return testSettings({ claims: [], gates: [], maximumIterations: 0, ...over, supervise: superviseSpec(supervise) }) as SettingsWith<'supervise'>;
}
