// Deep: other tests cover the environment; here the real agents read it.
import { describe, expect, it } from 'vitest';
import { run, say } from '../support/model-server/turns.ts';
import { expectRealAgents } from '../support/real-agents.ts';
import { openSupervisedAgent } from '../support/supervised-agent.ts';

const agents = expectRealAgents();

const own = { claude: ['ANTHROPIC_API_KEY'], codex: ['OPENAI_API_KEY', 'OPENAI_ORG_ID'] } as const;
const keys = Object.fromEntries(
  ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENAI_ORG_ID', 'GEMINI_API_KEY', 'GOOGLE_API_KEY', 'PERPLEXITY_API_KEY', 'XAI_API_KEY', 'AMP_API_KEY'].map(
    (name) => [name, 'sk-dummy'],
  ),
);

/** The names alone: values may have more than one line. */
const TELLS_NAMES = 'env -0 | cut -z -d= -f1 | tr "\\0" "\\n" >names; : >"$TASK_FOLDER/DONE"';

describe.skipIf(agents.missing).each(['claude', 'codex'] as const)('a command of the real %s, supervised,', (name) => {
  it('finds its task and no key of another vendor', async () => {
    await using root = await openSupervisedAgent(agents, { name, scenario: [run(TELLS_NAMES), say('Done.')], env: keys, allow: ['env -0'] });
    const ended = await root.stage.supervise(...root.words);

    expect(ended, ended.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    const names = root.read('names').trim().split('\n');
    expect(names).toEqual(expect.arrayContaining(['TASK_FOLDER', 'RALPH_RUN_ID', 'RALPH_SOCKET', 'RALPH_MESSAGE_BUS', 'RALPH_TASK_FOLDER']));
    expect(names).not.toContain('RALPH_PARENT_RUN_ID');
    expect(own[name]).toEqual(expect.arrayContaining(names.filter((each) => each in keys)));
  });
});

describe.skipIf(agents.missing)('the real claude, supervised from within another claude,', () => {
  it('has its own key and no variable of the other', async () => {
    // The shell of its Bash tool is a child of claude itself.
    const tells = `cat /proc/$PPID/environ | tr "\\0" "\\n" | cut -d= -f1 >names; ${': >"$TASK_FOLDER/DONE"'}`;
    const outer = { CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' };
    await using root = await openSupervisedAgent(agents, { name: 'claude', scenario: [run(tells), say('Done.')], env: { ...keys, ...outer }, allow: ['cat'] });
    const ended = await root.stage.supervise(...root.words);

    expect(ended, ended.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    const names = root.read('names').trim().split('\n');
    expect(names.filter((each) => each in keys)).toEqual(['ANTHROPIC_API_KEY']);
    expect(names).not.toContain('CLAUDECODE');
  });
});
