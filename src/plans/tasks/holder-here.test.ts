import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { holderHere } from './own-task.ts';

const top = '/somewhere/alpha';
const nobody = { run: null, lane: null, process: null };

describe('a task is claimed', () => {
  it('for this host and worktree by default', () => {
    const us = { holder: { name: `${hostname()}:alpha`, ...nobody }, key: '' };
    expect(holderHere({ env: {}, top })).toEqual(us);
    expect(holderHere({ env: { RALPH_WORKER: ' \n', RALPH_HOLDER: '' }, top })).toEqual(us);
  });

  it('for the name in RALPH_WORKER, on one line', () => {
    expect(holderHere({ env: { RALPH_WORKER: 'the\nnight shift ' }, top }).holder).toEqual({ name: 'the night shift', ...nobody });
  });

  it('for the worker that a loop names, with its key', () => {
    const holder = { name: 'r/1', run: 'r', lane: 1, process: { host: 'h', boot_id: 'b', pid: 7, start_time: '1' } };
    expect(holderHere({ env: { RALPH_HOLDER: JSON.stringify({ ...holder, key: 'take-3' }), RALPH_WORKER: 'me' }, top })).toEqual({ holder, key: 'take-3' });
  });

  it.each(['no json', '{}', '{"name":"x"}', 'null', '{"name":"","run":null,"lane":null,"process":null,"key":""}'])(
    'for nobody when RALPH_HOLDER is %s',
    (text) => {
      expect(() => holderHere({ env: { RALPH_HOLDER: text }, top })).toThrow('RALPH_HOLDER is set and names no holder');
    },
  );
});
