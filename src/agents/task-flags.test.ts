import { describe, expect, it } from 'vitest';
import { withTaskFlags } from './find-definition.ts';

const agent = { kind: 'codex', command: 'codex', flags: ['--search'], model: null, autonomy: 'full' as const };
const commands = ['ralph task complete', 'git add'];

describe('the flags that an agent needs for a task', () => {
  it('let codex keep the PATH with its ralph, and come before those of the operator', () => {
    expect(withTaskFlags(agent, { commands, folder: null }).flags).toEqual(['-c', 'allow_login_shell=false', '--search']);
  });

  it('let codex write to the folder of its task', () => {
    const flags = ['-c', 'allow_login_shell=false', '--add-dir', `'/tasks/it'\\''s here'`, '--search'];
    expect(withTaskFlags(agent, { commands: [], folder: "/tasks/it's here" })).toEqual({ ...agent, flags });
  });

  it('let a claude that may only edit run the commands of its task, and no others', () => {
    const claude = { ...agent, kind: 'claude', autonomy: 'edits' as const };
    expect(withTaskFlags(claude, { commands, folder: null }).flags).toEqual([
      '--allowedTools',
      "'Bash(ralph task complete:*)'",
      "'Bash(git add:*)'",
      '--search',
    ]);
    expect(withTaskFlags({ ...claude, autonomy: 'full' }, { commands, folder: null }).flags).toEqual(agent.flags);
  });

  it.each(['claude', 'amp', 'opencode', 'gemini', 'stream-json', 'command'])('are none for %s with full autonomy', (kind) => {
    expect(withTaskFlags({ ...agent, kind }, { commands, folder: '/tasks/t' })).toEqual({ ...agent, kind });
  });
});
