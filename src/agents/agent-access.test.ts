import { describe, expect, it } from 'vitest';
import { gateEnvironment } from '../sandbox/environment/gate-environment.ts';
import { parseHostPattern } from '../sandbox/proxy/match-host.ts';
import { agentEnvironment, modelHosts, NOBODY } from './agent-access.ts';

const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'x']));
const passed = (names: readonly string[], kind = 'claude') => Object.keys(agentEnvironment(named(names), { kind, pass: [] }));

describe('the hosts of a model', () => {
  it('are those of the vendor and of its login', () => {
    expect(modelHosts('claude', {})).toEqual(['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com', 'claude.ai']);
    expect(modelHosts('codex', {})).toContain('auth.openai.com');
    expect(modelHosts('gemini', {})).toContain('cloudcode-pa.googleapis.com');
    expect(modelHosts('amp', {})).toEqual(['ampcode.com']);
  });

  it('are the ones a variable names, with the port, instead of those of the vendor', () => {
    expect(modelHosts('claude', { ANTHROPIC_BASE_URL: 'http://127.0.0.1:8080/v1' })).toEqual(expect.arrayContaining(['127.0.0.1:8080']));
    expect(modelHosts('claude', { ANTHROPIC_BASE_URL: 'http://127.0.0.1:8080/v1' })).not.toContain('api.anthropic.com');
    expect(modelHosts('codex', { OPENAI_BASE_URL: 'https://gateway.example.org/openai' })).toContain('gateway.example.org:443');
    expect(modelHosts('claude', { ANTHROPIC_BASE_URL: 'http://[::1]:9' })).toContain('[::1]:9');
  });

  it('are only the ones that variables name, for an unknown agent', () => {
    expect(modelHosts('command', {})).toEqual([]);
    expect(modelHosts('opencode', { OPENAI_BASE_URL: 'http://localhost:11434', OLLAMA_HOST: 'localhost:11434' })).toEqual(['localhost:11434']);
  });

  it('are those of a cloud when claude is told to use one', () => {
    expect(modelHosts('claude', { CLAUDE_CODE_USE_BEDROCK: '1', AWS_REGION: 'eu-west-1' })).toContain('bedrock-runtime.eu-west-1.amazonaws.com');
    expect(modelHosts('claude', { CLAUDE_CODE_USE_VERTEX: '1', CLOUD_ML_REGION: 'europe-west1' })).toContain('europe-west1-aiplatform.googleapis.com');
    expect(modelHosts('claude', { CLAUDE_CODE_USE_FOUNDRY: '1', ANTHROPIC_FOUNDRY_RESOURCE: 'mine' })).toContain('mine.services.ai.azure.com');
    expect(modelHosts('claude', { ANTHROPIC_BEDROCK_BASE_URL: 'https://bedrock.example.org' })).toContain('bedrock.example.org:443');
    expect(modelHosts('claude', { CLAUDE_CODE_USE_BEDROCK: '0' })).not.toContain('bedrock-runtime.us-east-1.amazonaws.com');
  });

  it.each(['claude', 'codex', 'gemini', 'amp'])('are valid entries of the allow-list for %s', (kind) => {
    const env = { ANTHROPIC_BASE_URL: 'http://[::1]:9', CLAUDE_CODE_USE_BEDROCK: '1', CLAUDE_CODE_USE_VERTEX: '1' };
    for (const host of modelHosts(kind, env)) expect(parseHostPattern(host)).not.toBeNull();
  });
});

describe('the variables of vendors', () => {
  const all = [
    'ANTHROPIC_API_KEY',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'OPENAI_API_KEY',
    'CODEX_HOME',
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'AMP_API_KEY',
    'XAI_API_KEY',
    'PERPLEXITY_API_KEY',
  ];

  it.each([
    ['claude', ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN']],
    ['codex', ['OPENAI_API_KEY', 'CODEX_HOME']],
    ['gemini', ['GEMINI_API_KEY', 'GOOGLE_API_KEY']],
    ['amp', ['AMP_API_KEY']],
    ['opencode', all],
    ['stream-json', all],
    ['command', all],
    ['function', all],
    ['constructor', all],
  ])('are passed to %s if its vendor needs them', (kind, expected) => expect(passed(all, kind)).toEqual(expected));

  it('are not passed to gates', () => expect(gateEnvironment(named(all), { pass: [] })).toEqual({}));

  it('are not passed to an agent that gets no login', () => expect(passed(all, NOBODY)).toEqual([]));

  it('that configure claude are passed to claude only', () => {
    const names = ['DISABLE_TELEMETRY', 'MCP_TIMEOUT', 'API_TIMEOUT_MS', 'BASH_MAX_TIMEOUT_MS', 'IS_SANDBOX', 'MAX_THINKING_TOKENS', 'ANTHROPIC_BASE_URL'];
    expect(passed(names)).toEqual(names);
    expect(passed(names, 'codex')).toEqual([]);
  });

  it.each([
    ['CLAUDE_CODE_USE_BEDROCK', 'AWS_SECRET_ACCESS_KEY'],
    ['CLAUDE_CODE_USE_VERTEX', 'GOOGLE_APPLICATION_CREDENTIALS'],
    ['CLAUDE_CODE_USE_FOUNDRY', 'AZURE_CLIENT_SECRET'],
  ])('include, with %s, %s for claude', (mode, secret) => {
    const env = (value: string) => Object.keys(agentEnvironment({ [mode]: value, [secret]: 'x' }, { kind: 'claude', pass: [] }));
    expect(env('1')).toEqual([mode, secret]);
    expect(env('0')).toEqual([mode]);
  });
});
