import { describe, expect, it } from 'vitest';
import { testSettings } from '../../../../test/support/run-settings.ts';
import { withPlanFlags } from './start-work.ts';

const { agent } = testSettings({});

describe('an agent on a plan', () => {
  it('keeps as codex the PATH with its ralph, unless the operator says otherwise', () => {
    const flags = ['-c', 'allow_login_shell=true'];
    expect(withPlanFlags({ ...agent, kind: 'codex', flags }).flags).toEqual(['-c', 'allow_login_shell=false', ...flags]);
  });

  it('may complete its task as a claude with edit permissions, and no more', () => {
    const { flags } = withPlanFlags({ ...agent, kind: 'claude', autonomy: 'edits', flags: [] });
    expect(flags.join(' ')).toContain('ralph task complete');
    expect(withPlanFlags({ ...agent, kind: 'claude', autonomy: 'full' })).toMatchObject({ flags: agent.flags });
  });
});
