import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { until } from '../../test/support/until.ts';
import { emptyState } from '../journal/state/state.ts';
import { openDoor } from './door.ts';
import type { AnswerHooks } from './door-context.ts';

/** The raw answer of a door with these hooks. */
async function ask(hooks: AnswerHooks | null, name: string, body: string, method = 'POST'): Promise<{ status: number | undefined; said: string }> {
  await using folder = await openThrowAwayFolder();
  const path = join(folder.path, 'a.sock');
  await using _door = openDoor(
    path,
    () => 0,
    null,
    hooks && (() => hooks),
  )(
    async () => true,
    () => emptyState,
  );
  await until('it is open', () => existsSync(path));
  const asking = request({ socketPath: path, method, path: `/v1/hooks/${name}` });
  asking.end(body);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return { status: response.statusCode, said: await text(response) };
}

const echo: AnswerHooks = async (name, input) => ({ name, input });

it('a hook gets the answer that it has to print', async () => {
  expect(await ask(echo, 'stop', '{"a":1}')).toEqual({ status: 200, said: '{"name":"stop","input":{"a":1}}\n' });
});

it('a hook with nothing to print gets an empty answer', async () => {
  expect(await ask(async () => null, 'context', '{}')).toEqual({ status: 204, said: '' });
});

it('a run without stories answers no hooks, so that the caller looks elsewhere', async () => {
  expect(await ask(null, 'stop', '{}')).toEqual({ status: 404, said: expect.stringContaining('does not work on stories') });
});

it.each([
  { what: 'an unknown hook', name: 'stopp', status: 404, why: 'no such hook; use stop, context, guard, session-start' },
  { what: 'one below', name: 'stop/now', status: 404, why: 'no such hook' },
  { what: 'what is no JSON', body: '{', status: 400, why: 'not JSON' },
  { what: 'more than can be read', body: `"${'x'.repeat(9_000_000)}"`, status: 413, why: 'larger than' },
  { what: 'a look', method: 'GET', body: '', status: 404, why: 'there is nothing at' },
])('$what is refused', async ({ name = 'stop', body = '{}', method = 'POST', status, why }) => {
  expect(await ask(echo, name, body, method)).toEqual({ status, said: expect.stringContaining(why) });
});

it('an error in the hooks is answered as an error, never as text that a hook would print', async () => {
  const broken = async () => {
    throw new Error('broken');
  };
  expect(await ask(broken, 'guard', '{}')).toEqual({ status: 500, said: '{"error":"broken"}\n' });
});
