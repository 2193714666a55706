// Deep: the skill is text; here the real claude reads it.
import { describe, expect, it } from 'vitest';
import { run, say } from '../support/model-server/turns.ts';
import { openPluginStage } from '../support/plugin-stage.ts';
import { expectRealAgents } from '../support/real-agents.ts';

const agents = expectRealAgents();

describe.skipIf(agents.missing)('the planning skill of the plugin', () => {
  it.each(['/ralph:ralph-plan', '/ralph:ralph-plan a filter for the list of tasks'])(
    'is what the model reads when somebody says %s, and nothing is written by that',
    async (prompt) => {
      await using stage = await openPluginStage(agents, { scenario: [run('cat ralph/prd.md'), say('What is it for?')], prompt, marker: null });
      const { code, stdout } = await stage.play();

      expect(code, stdout).toBe(0);
      const { transcript = '' } = stage.requests[0] ?? {};
      expect(transcript).toContain('# Plan a feature for the Ralph loop');
      expect(transcript).toContain('Nothing is written before the user approves');
      expect(transcript).toContain(prompt.replace('/ralph:ralph-plan', '').trim());
      expect(stage.repo.git('status', '--porcelain', '--untracked-files=all', '--ignored')).toBe('');
      expect(stage.repo.git('log', '--format=%s')).toBe('start');
    },
  );

  it('is loaded for a request in other words', async () => {
    const asks = { kind: 'answer', text: '', tools: [{ kind: 'named', name: 'Skill', input: { skill: 'ralph:ralph-plan' } }] } as const;
    await using stage = await openPluginStage(agents, { scenario: [asks, say('What is it for?')], prompt: 'Plan this feature for ralph.', marker: null });
    await stage.play();

    const [first, second] = stage.requests;
    expect(first?.transcript).toContain('ralph:ralph-plan: Plans a feature together with the user');
    expect(first?.transcript).not.toContain('# Plan a feature for the Ralph loop');
    expect(second?.transcript).toContain('# Plan a feature for the Ralph loop');
    expect(stage.repo.git('status', '--porcelain', '--untracked-files=all', '--ignored')).toBe('');
  });
});
