// Deep: their own tests cover the hooks; here the real claude calls them.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDoor } from '../../src/door/door.ts';
import { emptyState } from '../../src/journal/state/state.ts';
import { hookFlags } from '../../src/recipes/review/start/open-stories.ts';
import { call, run, say } from '../support/model-server/turns.ts';
import { openPluginStage } from '../support/plugin-stage.ts';
import { expectRealAgents } from '../support/real-agents.ts';
import { until } from '../support/until.ts';

const agents = expectRealAgents();

describe.skipIf(agents.missing)('the hooks that a loop gives to the real claude', () => {
  it('call that loop once each, even if the plugin is installed too', async () => {
    const scenario = [run('echo seen'), call('Write', { file_path: 'a.txt', content: 'x' }), say('Done.'), say('Done at last.')];
    await using stage = await openPluginStage(agents, { scenario, env: { RALPH_HOOKS: 'loop' } });
    const folder = join(stage.repo.beside, 'door');
    await mkdir(folder, { mode: 0o700 });
    const doorPath = join(folder, 's.sock');
    const asked: string[] = [];
    const answers: Readonly<Record<string, object | null>> = {
      'context 1': { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'a word of the loop' } },
      'guard 2': { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'not here' } },
      'stop 1': { decision: 'block', reason: 'not yet' },
      'stop 2': { decision: 'approve' },
    };
    await using _door = openDoor(doorPath, Date.now, null, () => async (name) => {
      asked.push(name);
      return answers[`${name} ${asked.filter((each) => each === name).length}`] ?? null;
    })(
      async () => true,
      () => emptyState,
    );
    await until('it is open', () => existsSync(doorPath));
    const ended = await stage.play(...hookFlags({ doorPath, hookEntry: '/nowhere/hook.cjs', node: process.execPath }));

    expect(ended.code, ended.stdout).toBe(0);
    expect(asked).toEqual(['session-start', 'guard', 'context', 'guard', 'stop', 'stop']);
    const last = stage.requests.at(-1);
    expect(stage.requests[1]?.transcript).toContain('a word of the loop');
    expect(last?.toolResults.at(-1)).toContain('not here');
    expect(last?.prompt).toBe('Stop hook feedback:\nnot yet');
    expect(existsSync(join(stage.repo.path, 'a.txt'))).toBe(false);
  });
});
