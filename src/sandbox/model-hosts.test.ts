import { describe, expect, it } from 'vitest';
import { modelHosts } from './model-hosts.ts';
import { parseHostPattern } from './proxy/match-host.ts';

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
    expect(modelHosts('claude', { CLAUDE_CODE_USE_BEDROCK: '0' })).not.toContain('bedrock-runtime.us-east-1.amazonaws.com');
  });

  it.each(['claude', 'codex', 'gemini', 'amp'])('are valid entries of the allow-list for %s', (kind) => {
    const env = { ANTHROPIC_BASE_URL: 'http://[::1]:9', CLAUDE_CODE_USE_BEDROCK: '1', CLAUDE_CODE_USE_VERTEX: '1' };
    for (const host of modelHosts(kind, env)) expect(parseHostPattern(host)).not.toBeNull();
  });
});
