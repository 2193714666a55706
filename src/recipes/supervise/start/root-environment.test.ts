import { describe, expect, it } from 'vitest';
import { rootEnvironment } from './open-root.ts';

const spec = { project: 'demo', task: 'task-001', folder: '/tasks/demo/task-001', parent: null, env: {} };
const place = {
  spec,
  runId: 'r1',
  runsDir: '/tasks/demo/task-001/runs',
  runFolder: '/tasks/demo/task-001/runs/r1',
  socket: '/run/r1.sock',
  busFile: '/tasks/demo/task-001/TASK-MESSAGE-BUS.md',
  agentKind: 'claude',
  pass: [],
  binFolder: '/tasks/demo/task-001/runs/r1/bin',
};

const vendorKeys = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'OPENAI_ORG_ID',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'PERPLEXITY_API_KEY',
  'XAI_API_KEY',
  'AMP_API_KEY',
];
const allKeys = Object.fromEntries(vendorKeys.map((name) => [name, 'secret']));
const keysLeftTo = (agentKind: string, env: Readonly<Record<string, string>> = {}) =>
  Object.keys(rootEnvironment(allKeys, { ...place, agentKind, spec: { ...spec, env } })).filter((name) => vendorKeys.includes(name));

describe('the environment of a root agent', () => {
  it('names its place and its socket', () => {
    expect(rootEnvironment({ HOME: '/home/ann', PATH: '/usr/bin' }, { ...place, spec: { ...spec, parent: 'r0' } })).toEqual({
      HOME: '/home/ann',
      PATH: '/tasks/demo/task-001/runs/r1/bin:/usr/bin',
      TASK_FOLDER: '/tasks/demo/task-001',
      RALPH_PROJECT_ID: 'demo',
      RALPH_TASK_ID: 'task-001',
      RALPH_RUN_ID: 'r1',
      RALPH_PARENT_RUN_ID: 'r0',
      RALPH_RUNS_DIR: '/tasks/demo/task-001/runs',
      RALPH_MESSAGE_BUS: '/tasks/demo/task-001/TASK-MESSAGE-BUS.md',
      RALPH_TASK_FOLDER: '/tasks/demo/task-001',
      RALPH_RUN_FOLDER: '/tasks/demo/task-001/runs/r1',
      RALPH_SOCKET: '/run/r1.sock',
    });
  });

  it('is its own, even inside another agent of ours', () => {
    const outer = rootEnvironment({ PATH: '/usr/bin' }, { ...place, runId: 'r0', binFolder: '/outer/bin', spec: { ...spec, parent: 'r' } });
    const inner = rootEnvironment(outer, place);
    expect(inner).toMatchObject({ RALPH_RUN_ID: 'r1', PATH: '/tasks/demo/task-001/runs/r1/bin:/outer/bin:/usr/bin' });
    expect(inner).not.toHaveProperty('RALPH_PARENT_RUN_ID');
  });

  it("lets the operator's values override all, and finds ralph on any PATH", () => {
    const env = { TASK_FOLDER: '/elsewhere', PATH: '/opt/bin', EDITOR: 'ed' };
    expect(rootEnvironment({ PATH: '/usr/bin', EDITOR: 'vi' }, { ...place, spec: { ...spec, env } })).toMatchObject({
      TASK_FOLDER: '/elsewhere',
      EDITOR: 'ed',
      PATH: '/tasks/demo/task-001/runs/r1/bin:/opt/bin',
    });
  });
});

describe('the keys of vendors', () => {
  it.each([
    ['claude', ['ANTHROPIC_API_KEY']],
    ['codex', ['OPENAI_API_KEY', 'OPENAI_ORG_ID']],
    ['gemini', ['GEMINI_API_KEY', 'GOOGLE_API_KEY']],
    ['amp', ['AMP_API_KEY']],
  ])('are limited to its own vendor for %s', (agentKind, expected) => expect(keysLeftTo(agentKind)).toEqual(expected));

  it.each(['opencode', 'stream-json', 'command', 'function', 'constructor'])('are all visible to %s, which may use any of them', (agentKind) => {
    expect(keysLeftTo(agentKind)).toEqual(vendorKeys);
  });

  it('are passed on when the operator says so', () => {
    expect(keysLeftTo('claude', { OPENAI_API_KEY: 'mine' })).toEqual(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY']);
  });

  it('come with all other variables of that vendor, and none of the others', () => {
    const told = { ANTHROPIC_BASE_URL: 'u', CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x', OPENAI_BASE_URL: 'u', AMP_URL: 'u' };
    const leftTo = (agentKind: string) => Object.keys(rootEnvironment(told, { ...place, agentKind })).filter((name) => name in told);
    expect(leftTo('claude')).toEqual(['ANTHROPIC_BASE_URL', 'CLAUDE_CONFIG_DIR']);
    expect(leftTo('codex')).toEqual(['CODEX_HOME', 'OPENAI_BASE_URL']);
    expect(leftTo('opencode')).toEqual(Object.keys(told));
  });

  it('can be passed by name, like any other variable', () => {
    const env = rootEnvironment({ OPENAI_API_KEY: 'k', MINE: 'm', YOURS: 'y' }, { ...place, pass: ['OPENAI_API_KEY', 'MI*'] });
    expect(env).toMatchObject({ OPENAI_API_KEY: 'k', MINE: 'm' });
    expect(env).not.toHaveProperty('YOURS');
  });

  it('are kept together with their alternative names', () => {
    const tokens = { ANTHROPIC_AUTH_TOKEN: 't', CLAUDE_CODE_OAUTH_TOKEN: 't', CODEX_API_KEY: 't' };
    expect(Object.keys(rootEnvironment(tokens, { ...place, agentKind: 'claude' }))).toEqual(
      expect.arrayContaining(['ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']),
    );
    const codex = rootEnvironment(tokens, { ...place, agentKind: 'codex' });
    expect(codex).toHaveProperty('CODEX_API_KEY');
    expect(codex).not.toHaveProperty('ANTHROPIC_AUTH_TOKEN');
    expect(codex).not.toHaveProperty('CLAUDE_CODE_OAUTH_TOKEN');
  });
});
