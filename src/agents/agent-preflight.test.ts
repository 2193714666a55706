import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import type { AgentPlace } from './agent-preflight.ts';
import { textsInToml } from './codex/preflight.ts';
import { definitions } from './definitions.ts';
import { definitionNamed } from './find-definition.ts';

type Files = Readonly<Record<string, unknown>>;

interface Given extends Partial<Omit<AgentPlace, 'home' | 'cwd'>> {
  /** By their paths below a folder with `home` and `project`; what is no text is written as JSON. */
  readonly files?: Files;
  readonly home?: null;
}

async function placeOf({ files = {}, ...given }: Given): Promise<AgentPlace> {
  const folder = await openThrowAwayFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  for (const [name, content] of Object.entries({ 'home/.keep': '', 'project/.keep': '', ...files })) {
    const file = join(folder.path, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return { env: {}, hostEnv: {}, home: join(folder.path, 'home'), cwd: join(folder.path, 'project'), model: null, flags: [], ...given };
}

async function checksOf(agent: string) {
  const checks = await definitionNamed(agent).preflight?.();
  if (checks === undefined) throw new Error(`${agent} has no checks`);
  return checks;
}

const modelOf = async (agent: string, given: Given) => await (await checksOf(agent)).model(await placeOf(given));
const loginOf = async (agent: string, given: Given) => await (await checksOf(agent)).login(await placeOf(given));

const URL = 'http://127.0.0.1:4711';
const provider = (more = '') => `model_provider = "local"\n\n[model_providers.local]\nname = "Local"\nbase_url = "${URL}/v1" # mine\n${more}`;
const OPENCODE = { model: 'local/m', provider: { local: { options: { baseURL: URL } } } };

describe('the address of the model', () => {
  it.each<readonly [agent: string, name: string, given: Given, url: string, namedBy: string | null]>([
    ['claude', 'nothing', {}, 'https://api.anthropic.com', null],
    ['claude', 'a variable', { env: { ANTHROPIC_BASE_URL: URL } }, URL, 'ANTHROPIC_BASE_URL'],
    ['claude', 'no home', { env: { ANTHROPIC_BASE_URL: URL }, home: null }, URL, 'ANTHROPIC_BASE_URL'],
    [
      'claude',
      "the user's settings, before a variable",
      { env: { ANTHROPIC_BASE_URL: 'x' }, files: { 'home/.claude/settings.json': { env: { ANTHROPIC_BASE_URL: URL } } } },
      URL,
      'settings.json',
    ],
    [
      'claude',
      "the project's settings",
      { files: { 'project/.claude/settings.local.json': { env: { ANTHROPIC_BASE_URL: URL } } } },
      URL,
      'settings.local.json',
    ],
    ['codex', 'nothing', {}, 'https://api.openai.com', null],
    ['codex', 'a subscription', { files: { 'home/.codex/auth.json': { tokens: { id_token: 'x' } } } }, 'https://chatgpt.com', null],
    ['codex', 'a variable', { env: { OPENAI_BASE_URL: URL } }, URL, 'OPENAI_BASE_URL'],
    ['codex', 'a provider', { files: { 'home/.codex/config.toml': provider() } }, `${URL}/v1`, 'model_providers.local.base_url in '],
    [
      'codex',
      'flags that choose none',
      { flags: ['-c', 'allow_login_shell=false'], files: { 'home/.codex/config.toml': provider() } },
      `${URL}/v1`,
      'model_providers.local.base_url in ',
    ],
    [
      'codex',
      'a profile',
      {
        files: { 'home/.codex/config.toml': `profile = "p"\n${provider().replace('model_provider = "local"', '')}\n[profiles.p]\nmodel_provider = "local"\n` },
      },
      `${URL}/v1`,
      'model_providers.local',
    ],
    ['gemini', 'a variable', { env: { GOOGLE_GEMINI_BASE_URL: URL } }, URL, 'GOOGLE_GEMINI_BASE_URL'],
    [
      'gemini',
      'a key',
      { files: { 'home/.gemini/settings.json': { security: { auth: { selectedType: 'gemini-api-key' } } } } },
      'https://generativelanguage.googleapis.com',
      null,
    ],
    [
      'opencode',
      'a variable',
      { env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(OPENCODE) } },
      URL,
      'provider.local.options.baseURL in OPENCODE_CONFIG_CONTENT',
    ],
    ['opencode', "the project's file", { files: { 'project/opencode.json': OPENCODE } }, URL, 'provider.local.options.baseURL in '],
    ['amp', 'nothing', {}, 'https://ampcode.com', null],
  ])('of %s comes from %s', async (...row) => {
    const [agent, , given, url, namedBy] = row;
    const found = await modelOf(agent, given);
    expect(found).toEqual({ url, namedBy: namedBy === null ? null : expect.stringContaining(namedBy) });
  });

  it.each<[agent: string, name: string, given: Given]>([
    ['claude', "another provider's cloud", { env: { CLAUDE_CODE_USE_BEDROCK: '1' } }],
    ['claude', 'settings of its command', { flags: ['--settings', 'mine.json'] }],
    ['codex', 'flags that choose a provider', { flags: ['-c', 'model_provider="x"'], files: { 'home/.codex/config.toml': provider() } }],
    ['codex', 'a local model', { flags: ['--oss'] }],
    ['codex', 'a provider without an address', { files: { 'home/.codex/config.toml': 'model_provider = "azure"\n' } }],
    ['gemini', 'a .env file', { files: { 'home/.gemini/.env': 'X=1', 'home/.gemini/settings.json': { selectedAuthType: 'gemini-api-key' } } }],
    ['opencode', 'a provider of its own', { files: { 'project/opencode.json': { model: 'anthropic/x' } } }],
    ['opencode', 'a placeholder', { files: { 'project/opencode.json': { model: 'a/x', provider: { a: { options: { baseURL: '{env:A}' } } } } } }],
  ])('of %s is unknown with %s', async (agent, _name, given) => {
    expect(await modelOf(agent, given)).toBeNull();
  });
});

describe('the key of the model', () => {
  const KEY = 'the-key';
  const custom = { MY_KEY: KEY };
  const opencode = (options: object, npm = '@ai-sdk/openai-compatible') => ({
    files: { 'project/opencode.json': { model: 'local/m', provider: { local: { npm, options: { baseURL: URL, ...options } } } } },
  });

  it.each<[agent: string, name: string, given: Given, list: string, header: string, namedBy: string]>([
    ['claude', 'a variable', { env: { ANTHROPIC_API_KEY: KEY } }, 'https://api.anthropic.com/v1/models?limit=1', 'x-api-key', 'ANTHROPIC_API_KEY'],
    [
      'claude',
      'a token for a gateway',
      { env: { ANTHROPIC_AUTH_TOKEN: KEY, ANTHROPIC_BASE_URL: `${URL}/x/` } },
      `${URL}/x/v1/models?limit=1`,
      'authorization',
      'ANTHROPIC_AUTH_TOKEN',
    ],
    [
      'claude',
      'its settings, before a variable',
      { env: { ANTHROPIC_API_KEY: 'another' }, files: { 'home/.claude/settings.json': { env: { ANTHROPIC_API_KEY: KEY } } } },
      'https://api.anthropic.com/v1/models?limit=1',
      'x-api-key',
      'env.ANTHROPIC_API_KEY in ',
    ],
    ['codex', 'a variable', { env: { CODEX_API_KEY: KEY, OPENAI_API_KEY: 'another' } }, 'https://api.openai.com/v1/models', 'authorization', 'CODEX_API_KEY'],
    ['codex', 'its file', { files: { 'home/.codex/auth.json': { OPENAI_API_KEY: KEY } } }, 'https://api.openai.com/v1/models', 'authorization', 'auth.json'],
    [
      'codex',
      'its own provider',
      { env: custom, files: { 'home/.codex/config.toml': provider('env_key = "MY_KEY"\n') } },
      `${URL}/v1/models`,
      'authorization',
      'MY_KEY (model_providers.local.env_key',
    ],
    [
      'gemini',
      'a variable',
      { env: { GEMINI_API_KEY: KEY } },
      'https://generativelanguage.googleapis.com/v1beta/models?pageSize=1',
      'x-goog-api-key',
      'GEMINI_API_KEY',
    ],
    ['opencode', 'its file', opencode({ apiKey: KEY }), `${URL}/models`, 'authorization', 'provider.local.options.apiKey in '],
    ['opencode', 'a variable', { env: custom, ...opencode({ apiKey: '{env:MY_KEY}' }) }, `${URL}/models`, 'authorization', 'provider.local.options.apiKey in '],
  ])('of %s comes from %s', async (...row) => {
    const [agent, , given, list, header, namedBy] = row;
    const key = (await modelOf(agent, given))?.key;
    expect(key).toEqual({
      list,
      namedBy: expect.stringContaining(namedBy),
      headers: expect.objectContaining({ [header]: expect.stringMatching(/^(?:Bearer )?the-key$/) }),
    });
  });

  it.each<[agent: string, name: string, given: Given]>([
    ['claude', 'two keys', { env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_AUTH_TOKEN: KEY } }],
    ['claude', 'headers of a gateway', { env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_CUSTOM_HEADERS: 'x: y' } }],
    ['claude', 'a login', { env: { CLAUDE_CODE_OAUTH_TOKEN: KEY } }],
    ['codex', 'a subscription besides', { env: { OPENAI_API_KEY: KEY }, files: { 'home/.codex/auth.json': { tokens: { id_token: 'x' } } } }],
    [
      'codex',
      'a provider that wants more',
      { env: custom, files: { 'home/.codex/config.toml': provider('env_key = "MY_KEY"\nquery_params = { api-version = "1" }\n') } },
    ],
    ['codex', 'a provider without a key', { env: { OPENAI_API_KEY: KEY }, files: { 'home/.codex/config.toml': provider() } }],
    [
      'gemini',
      'another way to log in',
      { env: { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: URL }, files: { 'home/.gemini/settings.json': { selectedAuthType: 'oauth-personal' } } },
    ],
    ['gemini', 'Vertex', { env: { GEMINI_API_KEY: KEY, GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_GEMINI_BASE_URL: URL } }],
    ['opencode', 'a package of another vendor', opencode({ apiKey: KEY }, '@ai-sdk/anthropic')],
    ['opencode', 'another placeholder', opencode({ apiKey: '{file:key}' })],
  ])('of %s is unknown with %s', async (agent, _name, given) => {
    expect(await modelOf(agent, given)).toEqual({ url: expect.any(String), namedBy: expect.toSatisfy(() => true) });
  });
});

describe('the login', () => {
  it.each<[agent: string, name: string, given: Given, by: string]>([
    ['claude', 'a key', { env: { ANTHROPIC_API_KEY: 'x' } }, 'ANTHROPIC_API_KEY'],
    ['claude', 'a token', { env: { CLAUDE_CODE_OAUTH_TOKEN: 'x' } }, 'CLAUDE_CODE_OAUTH_TOKEN'],
    ['claude', 'its credentials', { files: { 'home/.claude/.credentials.json': {} } }, '.credentials.json'],
    ['claude', 'a helper', { files: { 'home/.claude/settings.json': { apiKeyHelper: 'x' } } }, 'settings.json'],
    ['claude', 'a key that it keeps', { files: { 'home/.claude.json': { primaryApiKey: 'x' } } }, '.claude.json'],
    ['codex', 'its file', { files: { 'home/.codex/auth.json': { OPENAI_API_KEY: 'x' } } }, 'auth.json'],
    ['codex', "a provider's key", { env: { MY_KEY: 'x' }, files: { 'home/.codex/config.toml': provider('env_key = "MY_KEY"\n') } }, 'MY_KEY'],
    ['gemini', 'a key', { env: { GEMINI_API_KEY: 'x' } }, 'GEMINI_API_KEY'],
    ['amp', 'a key', { env: { AMP_API_KEY: 'x' } }, 'AMP_API_KEY'],
  ])('of %s is found with %s', async (agent, _name, given, by) => {
    expect(await loginOf(agent, given)).toEqual({ state: 'found', by: expect.stringContaining(by) });
  });

  it.each<[agent: string, name: string, given: Given, what: string]>([
    ['claude', 'nothing', {}, 'claude is not logged in'],
    ['codex', 'nothing', {}, 'codex is not logged in'],
    [
      'codex',
      "a provider's key that is not set",
      { files: { 'home/.codex/config.toml': provider('env_key = "MY_KEY"\n') } },
      'codex needs the variable MY_KEY, which is not set',
    ],
    [
      'codex',
      "a provider's key that agents do not get",
      { hostEnv: { MY_KEY: 'x' }, files: { 'home/.codex/config.toml': provider('env_key = "MY_KEY"\n') } },
      'codex needs the variable MY_KEY, which Ralph does not pass on',
    ],
    ['gemini', 'nothing', {}, 'gemini has no way to log in'],
    ['amp', 'nothing', {}, 'amp is not logged in'],
  ])('of %s is missing with %s', async (agent, _name, given, what) => {
    expect(await loginOf(agent, given)).toMatchObject({ state: 'missing', what });
  });

  it.each<[agent: string, name: string, given: Given]>([
    ['claude', 'no home', { home: null }],
    ['claude', "another provider's cloud", { env: { CLAUDE_CODE_USE_VERTEX: '1' } }],
    ['claude', 'settings of its command', { flags: ['--settings', 'mine.json'] }],
    ['claude', 'settings of its command in one word', { flags: ['--settings={"apiKeyHelper":"x"}'] }],
    ['codex', 'a keyring', { files: { 'home/.codex/config.toml': 'cli_auth_credentials_store = "keyring"\n' } }],
    ['codex', 'a provider without a key', { files: { 'home/.codex/config.toml': provider() } }],
    ['gemini', 'a chosen way', { files: { 'home/.gemini/settings.json': { security: { auth: { selectedType: 'oauth-personal' } } } } }],
    ['gemini', 'settings with comments', { files: { 'home/.gemini/settings.json': '{ // mine\n}' } }],
    ['opencode', 'nothing', {}],
  ])('of %s is unknown with %s', async (agent, _name, given) => {
    expect(await loginOf(agent, given)).toEqual({ state: 'unknown' });
  });
});

it.each(definitions.filter(({ preflight }) => preflight === null).map(({ name }) => name))('a plain command (%s) has neither', (name) => {
  expect(['command', 'stream-json']).toContain(name);
});

describe('the texts of a TOML file', () => {
  it('are found by their dotted keys', () => {
    const toml =
      'a = "1"\nb.c = \'2\'\n[t."x-y"] # table\nd = "quote \\" and # no comment" # comment\n[[list]]\na = "not this"\n[t]\nn = 3\nm = """\nlong"""\n';
    expect([...textsInToml(toml)]).toEqual([
      ['a', '1'],
      ['b.c', '2'],
      ['t.x-y.d', 'quote " and # no comment'],
      ['[].a', 'not this'],
    ]);
  });
});

describe('a complaint about flags', () => {
  it.each([
    ['claude', "error: unknown option '--no-auto-compact'\n", "unknown option '--no-auto-compact'"],
    ['claude', 'Error: Input must be provided either through stdin or as a prompt argument when using --print\n', null],
    ['codex', "WARNING: x\nerror: unexpected argument '--full-auto' found\n\n  tip: …", "unexpected argument '--full-auto' found"],
    ['codex', 'Run Codex non-interactively\n\nUsage: codex exec [OPTIONS]', null],
  ])('of %s is found in %j', async (agent, output, complaint) => {
    expect((await checksOf(agent)).flagTrial?.complaint(output)).toBe(complaint);
  });
});
