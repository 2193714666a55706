import { describe, expect, it } from 'vitest';
import { withTaskFlags } from './start-root.ts';

const agent = { kind: 'codex', command: 'codex', flags: ['--search'], model: null, autonomy: 'full' as const };

describe('an agent in a task', () => {
  it('keeps its PATH and may write to the task folder: codex gets flags for that, before those of the operator', () => {
    const flags = ['-c', 'allow_login_shell=false', '--add-dir', `'/tasks/it'\\''s here'`, '--search'];
    expect(withTaskFlags(agent, "/tasks/it's here")).toEqual({ ...agent, flags });
  });

  it('needs no flags if it is any other agent', () => {
    expect(withTaskFlags({ ...agent, kind: 'claude' }, '/tasks/t')).toEqual({ ...agent, kind: 'claude' });
  });
});
