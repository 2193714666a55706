import { describe, expect, it } from 'vitest';
import { fitForATask } from './start-root.ts';

const agent = { kind: 'codex', command: 'codex', flags: ['--search'], model: null, autonomy: 'full' as const };

describe('an agent in a task', () => {
  it('keeps its PATH and may write to the task folder: codex gets flags for that, before those of the operator', () => {
    const flags = ['-c', 'allow_login_shell=false', '--add-dir', `'/tasks/it'\\''s here'`, '--search'];
    expect(fitForATask(agent, "/tasks/it's here")).toEqual({ ...agent, flags });
  });

  it('needs no flags if it is any other agent', () => {
    expect(fitForATask({ ...agent, kind: 'claude' }, '/tasks/t')).toEqual({ ...agent, kind: 'claude' });
  });
});
