import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentPlace, type AgentPreflight, below, firstSet, type Login, type ModelAddress, type ModelKey, readJsonObject } from '../agent-preflight.ts';
import { type JsonObject, objectIn, textIn } from '../json.ts';

export const preflight: AgentPreflight = {
  versionArgs: ['--version'],
  // Without a prompt it checks its arguments, complains that the prompt is missing, and ends with code 1. It asks no model.
  flagTrial: { args: (real) => real, complaint: (output) => /^error: (?:unknown option|option) .*$/m.exec(output)?.[0].slice('error: '.length) ?? null },
  model,
  login,
};

const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];
/** With one of these the model runs in another provider's cloud, which has its own address and login. */
const CLOUDS = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'];

interface Settings {
  readonly file: string;
  readonly settings: JsonObject;
}

async function model(place: AgentPlace): Promise<ModelAddress | null> {
  const files = await settingsOf(place);
  if (hasOtherSettings(place) || usesCloud(place, files)) return null;
  const named = variable('ANTHROPIC_BASE_URL', place, files);
  const url = named?.value ?? 'https://api.anthropic.com';
  const key = keyFor(url, place, files);
  return { url, namedBy: named?.namedBy ?? null, ...(key && { key }) };
}

/** A variable as claude has it: that of its settings, else that of its environment. */
function variable(name: string, { env }: AgentPlace, files: readonly Settings[]): { readonly value: string; readonly namedBy: string } | null {
  for (const { file, settings } of files) {
    const value = textIn(variablesIn(settings)[name]);
    if (value !== '') return { value, namedBy: `env.${name} in ${file}` };
  }
  const value = env[name] ?? '';
  return value === '' ? null : { value, namedBy: name };
}

/** Null for a login of another kind, for two keys at once, and where a gateway wants headers of its own. */
function keyFor(url: string, place: AgentPlace, files: readonly Settings[]): ModelKey | null {
  const [key, token, others] = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_CUSTOM_HEADERS'].map((name) => variable(name, place, files));
  const named = key ?? token;
  if (!named || (key && token) || others) return null;
  const headers: Readonly<Record<string, string>> = key ? { 'x-api-key': named.value } : { authorization: `Bearer ${named.value}` };
  return { namedBy: named.namedBy, list: below(url, '/v1/models?limit=1'), headers: { ...headers, 'anthropic-version': '2023-06-01' } };
}

async function login(place: AgentPlace): Promise<Login> {
  const files = await settingsOf(place);
  if (hasOtherSettings(place) || usesCloud(place, files) || process.platform === 'darwin') return { state: 'unknown' };
  const key = firstSet(place.env, KEYS);
  if (key !== null) return { state: 'found', by: key };
  const inFile = files.find(({ settings }) => 'apiKeyHelper' in settings || KEYS.some((name) => textIn(variablesIn(settings)[name]) !== ''));
  if (inFile !== undefined) return { state: 'found', by: inFile.file };
  const folder = configFolder(place);
  if (folder === null) return { state: 'unknown' };
  const credentials = join(folder, '.credentials.json');
  if (existsSync(credentials)) return { state: 'found', by: credentials };
  const state = await readJsonObject(stateFile(place, folder));
  if (textIn(state?.['primaryApiKey']) !== '') return { state: 'found', by: stateFile(place, folder) };
  return {
    state: 'missing',
    what: 'claude is not logged in',
    where: `neither ${credentials} nor ${KEYS.join(', ')}`,
    fix: 'Run claude and log in with /login, or set ANTHROPIC_API_KEY.',
  };
}

/** Settings that the command itself names come before all others, and may contain a login, an address or a cloud. */
const hasOtherSettings = ({ flags }: AgentPlace) => flags.some((flag) => /^--settings(?:=|$)/.test(flag));

function usesCloud({ env }: AgentPlace, files: readonly Settings[]): boolean {
  return firstSet(env, CLOUDS) !== null || files.some(({ settings }) => CLOUDS.some((name) => name in variablesIn(settings)));
}

/** Claude's settings files; the first that names a variable counts, before the environment. */
async function settingsOf(place: AgentPlace): Promise<readonly Settings[]> {
  const folder = configFolder(place);
  const paths = [
    '/etc/claude-code/managed-settings.json',
    ...['settings.local.json', 'settings.json'].map((name) => join(place.cwd, '.claude', name)),
    ...(folder === null ? [] : [join(folder, 'settings.json')]),
  ];
  const read = await Promise.all(paths.map(async (file) => ({ file, settings: await readJsonObject(file) })));
  return read.flatMap(({ file, settings }) => (settings === null ? [] : [{ file, settings }]));
}

const variablesIn = (settings: JsonObject) => objectIn(settings['env']) ?? {};

function configFolder({ env, home }: AgentPlace): string | null {
  return env['CLAUDE_CONFIG_DIR'] || (home === null ? null : join(home, '.claude'));
}

/** It is beside the default folder, and inside another one. */
const stateFile = ({ env }: AgentPlace, folder: string) => (env['CLAUDE_CONFIG_DIR'] ? join(folder, '.claude.json') : `${folder}.json`);
