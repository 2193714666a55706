import { describe, expect, it } from 'vitest';
import { fitForATask } from './start-root.ts';

const agent = { kind: 'codex', command: 'codex', flags: ['--search'], model: null, autonomy: 'full' as const };

describe('an agent at home in a task', () => {
  it('keeps its PATH and may write there: codex is told so, before what the operator tells it', () => {
    const flags = ['-c', 'allow_login_shell=false', '--add-dir', `'/tasks/it'\\''s here'`, '--search'];
    expect(fitForATask(agent, "/tasks/it's here")).toEqual({ ...agent, flags });
  });

  it('needs nothing else if it is any other', () => {
    expect(fitForATask({ ...agent, kind: 'claude' }, '/tasks/t')).toEqual({ ...agent, kind: 'claude' });
  });
});
