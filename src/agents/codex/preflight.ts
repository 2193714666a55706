import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentPlace, type AgentPreflight, below, firstSet, type Login, type ModelAddress, type ModelKey, readJsonObject } from '../agent-preflight.ts';
import { objectIn, textIn } from '../json.ts';

export const preflight: AgentPreflight = {
  versionArgs: ['--version'],
  // It complains of the first unknown argument before it reaches --help.
  flagTrial: {
    args: (real) => [...real.filter((arg) => arg !== '-'), '--help'],
    complaint: (output) => /^error: (?<why>unexpected argument .*|invalid value .*|the argument .*)$/m.exec(output)?.groups?.['why'] ?? null,
  },
  model,
  login,
};

const KEYS = ['CODEX_API_KEY', 'OPENAI_API_KEY'];

/** Flags that choose another provider than the file does. */
const CHOOSES_PROVIDER = /^(?:--profile|--oss|--local-provider|-p$)|provider|profile|base_url/;

async function model(place: AgentPlace): Promise<ModelAddress | null> {
  const config = await configOf(place);
  const address = config === null ? null : await addressOf(place, config);
  if (config === null || address === null) return null;
  const key = await keyFor(address, place, config);
  return { ...address, ...(key && { key }) };
}

async function addressOf(place: AgentPlace, config: Config): Promise<ModelAddress | null> {
  const { provider, texts, file } = config;
  if (provider !== 'openai') {
    const url = texts.get(`model_providers.${provider}.base_url`);
    return url === undefined ? null : { url, namedBy: `model_providers.${provider}.base_url in ${file}` };
  }
  const moved = texts.get('openai_base_url');
  if (moved !== undefined) return { url: moved, namedBy: `openai_base_url in ${file}` };
  const url = place.env['OPENAI_BASE_URL'] ?? '';
  if (url !== '') return { url, namedBy: 'OPENAI_BASE_URL' };
  const isSubscriber = firstSet(place.env, KEYS) === null && objectIn((await authOf(config.folder))?.['tokens']) !== null;
  return { url: isSubscriber ? 'https://chatgpt.com' : 'https://api.openai.com', namedBy: null };
}

/** Null where the provider wants more than a key, and where codex has a subscription and a key, of which it chooses one. */
async function keyFor({ url, namedBy }: ModelAddress, { env }: AgentPlace, { folder, file, provider, texts, toml }: Config): Promise<ModelKey | null> {
  if (WANTS_MORE.test(toml)) return null;
  const list = below(url, namedBy === null ? '/v1/models' : '/models');
  const of = (named: string, value: string) => (value === '' ? null : { namedBy: named, list, headers: { authorization: `Bearer ${value}` } });
  const name = texts.get(`model_providers.${provider}.env_key`);
  if (provider !== 'openai') return name === undefined ? null : of(`${name} (model_providers.${provider}.env_key in ${file})`, env[name] ?? '');
  if (env['CODEX_API_KEY']) return of('CODEX_API_KEY', env['CODEX_API_KEY']);
  const auth = await authOf(folder);
  if (objectIn(auth?.['tokens']) !== null) return null;
  const kept = textIn(auth?.['OPENAI_API_KEY']);
  return kept === '' ? of('OPENAI_API_KEY', env['OPENAI_API_KEY'] ?? '') : of(`OPENAI_API_KEY in ${join(folder, 'auth.json')}`, kept);
}

const WANTS_MORE = /\b(?:query_params|http_headers|env_http_headers)\b/;

async function login(place: AgentPlace): Promise<Login> {
  const config = await configOf(place);
  if (config === null) return { state: 'unknown' };
  const { provider, texts, file } = config;
  return provider === 'openai'
    ? await ownLogin(place, config)
    : providerLogin(place, { provider, file, key: texts.get(`model_providers.${provider}.env_key`) });
}

async function ownLogin({ env }: AgentPlace, { folder, texts }: Config): Promise<Login> {
  const key = firstSet(env, KEYS);
  if (key !== null) return { state: 'found', by: key };
  const file = join(folder, 'auth.json');
  const auth = await authOf(folder);
  if (textIn(auth?.['OPENAI_API_KEY']) !== '' || objectIn(auth?.['tokens']) !== null) return { state: 'found', by: file };
  if (auth !== null || (texts.get('cli_auth_credentials_store') ?? 'file') !== 'file') return { state: 'unknown' };
  return {
    state: 'missing',
    what: 'codex is not logged in',
    where: `neither ${file} nor ${KEYS.join(', ')}`,
    fix: 'Run `codex login`, or set CODEX_API_KEY.',
  };
}

interface Provider {
  readonly provider: string;
  readonly file: string;
  /** The variable with its key; absent if it needs none, or keeps it elsewhere. */
  readonly key: string | undefined;
}

/** Ralph does not pass on every variable to agents, so a key that is set may still be missing for codex. */
function providerLogin({ env, hostEnv }: AgentPlace, { provider, file, key }: Provider): Login {
  if (key === undefined) return { state: 'unknown' };
  if ((env[key] ?? '') !== '') return { state: 'found', by: key };
  const where = `model_providers.${provider}.env_key in ${file}`;
  return (hostEnv[key] ?? '') === ''
    ? { state: 'missing', what: `codex needs the variable ${key}, which is not set`, where, fix: `Set ${key}.` }
    : {
        state: 'missing',
        what: `codex needs the variable ${key}, which Ralph does not pass on`,
        where,
        fix: `Add it in .ralph/settings.json: {"env": {"pass": ["${key}"]}}.`,
      };
}

interface Config {
  readonly folder: string;
  readonly file: string;
  readonly toml: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly provider: string;
}

/** Null if flags choose the provider, or the home is unknown. */
async function configOf({ env, home, flags }: AgentPlace): Promise<Config | null> {
  const folder = env['CODEX_HOME'] || (home === null ? null : join(home, '.codex'));
  if (folder === null || flags.some((flag) => CHOOSES_PROVIDER.test(flag))) return null;
  const file = join(folder, 'config.toml');
  const toml = await readFile(file, 'utf8').catch(() => '');
  const texts = textsInToml(toml);
  const profile = texts.get('profile');
  const provider = (profile === undefined ? undefined : texts.get(`profiles.${profile}.model_provider`)) ?? texts.get('model_provider') ?? 'openai';
  return { folder, file, toml, texts, provider };
}

const authOf = (folder: string) => readJsonObject(join(folder, 'auth.json'));

/**
 * The texts of a TOML file by their dotted keys, such as `model_providers.local.base_url`. Reads tables, and keys with a text on one line; everything else is
 * left out, so a key that is missing here may still be in the file.
 */
export function textsInToml(toml: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let table = '';
  for (const line of toml.split('\n')) {
    const header = /^\s*\[(?!\[)(?<key>[^\]]+)\]\s*(?:#.*)?$/.exec(line)?.groups?.['key'];
    if (header !== undefined) table = `${plainKey(header)}.`;
    else if (/^\s*\[\[/.test(line)) table = '[].';
    const { key, double, single } = PAIR.exec(line)?.groups ?? {};
    const value = single ?? (double === undefined ? undefined : unescaped(double));
    if (key !== undefined && value !== undefined) texts.set(`${table}${plainKey(key)}`, value);
  }
  return texts;
}

const PAIR = /^\s*(?<key>[\w."'-]+)\s*=\s*(?:"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>[^']*)')\s*(?:#.*)?$/;

/** A dot inside quotes is not understood; such a key is never asked for. */
const plainKey = (key: string) => key.replaceAll(/["'\s]/g, '');

/** Undefined for escapes that JSON does not have. */
function unescaped(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return undefined;
  }
}
