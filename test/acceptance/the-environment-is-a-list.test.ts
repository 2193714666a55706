import { readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGitPlace, type Place } from '../support/place.ts';

const OUTSIDE = {
  ANTHROPIC_API_KEY: 'key-of-the-model',
  DEPLOY_TOKEN: 'token-of-the-operator',
  MYAPP_MODE: 'test',
  SSH_AUTH_SOCK: '/run/agent.sock',
  npm_config_cache: '/tmp/cache',
  'npm_config_//registry.example.org/:_authToken': 'token-of-the-registry',
  HTTPS_PROXY: 'http://proxy.example.org:3128',
};

/** The agent and the gate each save their environment. */
async function openStage(settings: object): Promise<Place> {
  const place = await openGitPlace();
  await place.write('agent.sh', 'env >agent.env; echo DONE\n');
  await place.write('.ralph/settings.json', JSON.stringify(settings));
  return place;
}

function namesIn(place: Place, file: string): readonly string[] {
  const found = readFileSync(join(place.path, file), 'utf8')
    .split('\n')
    .map((line) => line.replace(/=.*/, ''));
  return Object.keys(OUTSIDE).filter((name) => found.includes(name));
}

const RUN = ['run', '-p', 'Do it.', '-m', '1', '--agent', 'sh agent.sh', '--guardrail', 'env >gate.env'];

describe('the environment of agents and gates contains', () => {
  it('the usual variables, and for the agent only the key of its model', async () => {
    await using place = await openStage({});
    const run = await place.ralph(RUN, { env: OUTSIDE });

    expect(run.code, run.stderr).toBe(0);
    expect(namesIn(place, 'agent.env')).toEqual(['ANTHROPIC_API_KEY', 'npm_config_cache', 'HTTPS_PROXY']);
    expect(namesIn(place, 'gate.env')).toEqual(['npm_config_cache', 'HTTPS_PROXY']);
  });

  it('the variables that the operator passes', async () => {
    await using place = await openStage({ env: { pass: ['MYAPP_*', 'DEPLOY_TOKEN'] } });
    const run = await place.ralph(RUN, { env: OUTSIDE });

    expect(run.code, run.stderr).toBe(0);
    expect(namesIn(place, 'gate.env')).toEqual(['DEPLOY_TOKEN', 'MYAPP_MODE', 'npm_config_cache', 'HTTPS_PROXY']);
    expect(namesIn(place, 'agent.env')).toEqual(['ANTHROPIC_API_KEY', 'DEPLOY_TOKEN', 'MYAPP_MODE', 'npm_config_cache', 'HTTPS_PROXY']);
  });

  it('a `ralph` that can ask, whatever else has that name', async () => {
    await using place = await openStage({});
    await place.write('agent.sh', 'ralph ask "Which one?"\n');
    await place.write('other/ralph', '#!/bin/sh\nexit 7\n');
    await chmod(join(place.path, 'other/ralph'), 0o755);
    const run = await place.ralph(RUN, { env: { PATH: `${join(place.path, 'other')}:${process.env['PATH']}` } });

    expect(run.code, run.stderr).toBe(3);
    expect(run.stderr).toContain('The agent asks: Which one?');
  });
});
