import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentPlace, type AgentPreflight, firstSet, type Login, type ModelAddress } from '../agent-preflight.ts';

export const preflight: AgentPreflight = { versionArgs: ['--version'], model, login };

async function model({ env }: AgentPlace): Promise<ModelAddress | null> {
  const url = env['AMP_URL'] ?? '';
  return url === '' ? { url: 'https://ampcode.com', namedBy: null } : { url, namedBy: 'AMP_URL' };
}

/** Without a key amp opens a login prompt and waits. */
async function login({ env, home }: AgentPlace): Promise<Login> {
  if (firstSet(env, ['AMP_API_KEY']) !== null) return { state: 'found', by: 'AMP_API_KEY' };
  if (home === null || process.platform === 'darwin') return { state: 'unknown' };
  const file = join(home, '.local/share/amp/secrets.json');
  if (existsSync(file)) return { state: 'found', by: file };
  return { state: 'missing', what: 'amp is not logged in', where: `neither ${file} nor AMP_API_KEY`, fix: 'Run `amp login`, or set AMP_API_KEY.' };
}
