import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AgentPlace, type AgentPreflight, below, firstSet, type Login, type ModelAddress, type ModelKey, readJsonObject } from '../agent-preflight.ts';
import { objectIn, textIn } from '../json.ts';

export const preflight: AgentPreflight = { versionArgs: ['--version'], model, login };

const ADDRESSES = ['GOOGLE_GEMINI_BASE_URL', 'GOOGLE_VERTEX_BASE_URL', 'CODE_ASSIST_ENDPOINT'];
const KEY = 'GEMINI_API_KEY';
const API_KEY = 'gemini-api-key';
/** Each of these chooses a way to log in. */
const KEYS = [KEY, 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'];
const HOSTS: Readonly<Record<string, string>> = {
  [API_KEY]: 'https://generativelanguage.googleapis.com',
  'oauth-personal': 'https://cloudcode-pa.googleapis.com',
};

async function model(place: AgentPlace): Promise<ModelAddress | null> {
  const named = firstSet(place.env, ADDRESSES);
  const way = await chosenWay(place);
  // A .env file may name another address, or another key.
  const url = named === null ? (hasEnvFile(place) ? undefined : HOSTS[way ?? (place.env[KEY] ? API_KEY : '')]) : place.env[named];
  if (url === undefined) return null;
  const usesKey = named !== 'CODE_ASSIST_ENDPOINT' && named !== 'GOOGLE_VERTEX_BASE_URL' && (way ?? API_KEY) === API_KEY && !hasEnvFile(place);
  const key = usesKey ? keyFor(url, place) : null;
  return { url, namedBy: named, ...(key && { key }) };
}

/** With another of these variables gemini may not use the key. */
function keyFor(url: string, { env }: AgentPlace): ModelKey | null {
  const value = env[KEY] ?? '';
  if (value === '' || firstSet(env, KEYS.slice(1)) !== null) return null;
  return { namedBy: KEY, list: below(url, '/v1beta/models?pageSize=1'), headers: { 'x-goog-api-key': value } };
}

/** Without a chosen way, gemini ends at once with code 41. */
async function login(place: AgentPlace): Promise<Login> {
  const key = firstSet(place.env, KEYS);
  if (key !== null) return { state: 'found', by: key };
  if (place.home === null || hasEnvFile(place)) return { state: 'unknown' };
  if ((await chosenWay(place)) !== null) return { state: 'unknown' };
  return {
    state: 'missing',
    what: 'gemini has no way to log in',
    where: `neither security.auth.selectedType in ${settingsFiles(place).join(' or ')} nor ${KEYS.join(', ')}`,
    fix: 'Run gemini and log in, or set GEMINI_API_KEY.',
  };
}

async function chosenWay(place: AgentPlace): Promise<string | null> {
  for (const file of settingsFiles(place)) {
    const settings = await readJsonObject(file);
    // Settings with comments are not JSON; gemini reads them.
    if (settings === null && existsSync(file)) return 'unknown';
    const way = textIn(objectIn(objectIn(settings?.['security'])?.['auth'])?.['selectedType']) || textIn(settings?.['selectedAuthType']);
    if (way !== '') return way;
  }
  return null;
}

function settingsFiles({ cwd, home }: AgentPlace): readonly string[] {
  const folders = [cwd, ...(home === null ? [] : [home]), '/etc'];
  return folders.map((folder) => (folder === '/etc' ? '/etc/gemini-cli/settings.json' : join(folder, '.gemini', 'settings.json')));
}

/** Gemini reads the first .env file that it finds from its folder upwards, and one in the home. */
function hasEnvFile({ cwd, home }: AgentPlace): boolean {
  const up = (folder: string): readonly string[] => (dirname(folder) === folder ? [folder] : [folder, ...up(dirname(folder))]);
  return [...up(cwd), ...(home === null ? [] : [home])].some((folder) => existsSync(join(folder, '.env')) || existsSync(join(folder, '.gemini', '.env')));
}
