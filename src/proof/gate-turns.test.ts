import { beforeEach, expect, it, vi } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';

/** A module of its own, since gates of other tests in this process may still run; and a machine of its own. */
let gateTurn: typeof import('./gate-turns.ts').gateTurn;
beforeEach(async () => {
  const folder = await openThrowAwayFolder();
  vi.stubEnv('XDG_STATE_HOME', folder.path);
  vi.resetModules();
  ({ gateTurn } = await import('./gate-turns.ts'));
  return () => folder[Symbol.asyncDispose]();
});

const never = new AbortController().signal;

/** Takes a turn, and says what happens. */
function gate(name: string, isSerial: boolean, said: string[], signal = never) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const ran = (async () => {
    await using _turn = await gateTurn(isSerial, signal);
    said.push(`${name} starts`);
    await ended;
    said.push(`${name} ends`);
  })();
  return { end, ran };
}

const settle = async () => {
  for (let n = 0; n < 20; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

it('a serial gate runs beside no other, and nobody overtakes it', async () => {
  const said: string[] = [];
  const one = gate('one', false, said);
  const two = gate('two', false, said);
  const alone = gate('alone', true, said);
  const late = gate('late', false, said);
  await settle();
  expect(said).toEqual(['one starts', 'two starts']);
  one.end();
  await one.ran;
  await settle();
  expect(said).toHaveLength(3);
  two.end();
  alone.end();
  late.end();
  await Promise.all([two.ran, alone.ran, late.ran]);
  expect(said.slice(3)).toEqual(['two ends', 'alone starts', 'alone ends', 'late starts', 'late ends']);
});

it('a serial gate stays alone when a wait behind it is aborted', async () => {
  const said: string[] = [];
  const alone = gate('alone', true, said);
  const stop = new AbortController();
  const aborted = gate('aborted', true, said, stop.signal);
  const late = gate('late', false, said);
  stop.abort();
  aborted.end();
  await aborted.ran;
  late.end();
  await settle();
  expect(said).not.toContain('late starts');
  alone.end();
  await Promise.all([alone.ran, late.ran]);
  expect(said.at(-1)).toBe('late ends');
});

it('a wait that is aborted ends at once', async () => {
  const said: string[] = [];
  const one = gate('one', false, said);
  const stop = new AbortController();
  const alone = gate('alone', true, said, stop.signal);
  stop.abort();
  alone.end();
  await alone.ran;
  expect(said).toEqual(['one starts', 'alone starts', 'alone ends']);
  one.end();
  await one.ran;
});
