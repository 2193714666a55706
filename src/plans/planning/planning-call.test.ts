import { expect, it } from 'vitest';
import { planningCall } from './plan-session.ts';

const request = { words: ['x'], model: null, plugin: '/p', skill: '# Plan' };
const PROMPT = 'Do what follows, together with me, in this directory.\n\n# Plan';

it.each([
  ['claude', null, ['x', '--plugin-dir', '/p', '/ralph:ralph-plan']],
  ['claude', 'opus', ['x', '--plugin-dir', '/p', '--model', 'opus', '/ralph:ralph-plan']],
  ['codex', 'gpt', ['x', '--model', 'gpt', PROMPT]],
  ['gemini', null, ['x', '--prompt-interactive', PROMPT]],
  ['opencode', null, ['x', '--prompt', PROMPT]],
  ['command', null, ['x', PROMPT]],
])('%s with the model %s is started as it requires', (kind, model, call) => {
  expect(planningCall({ ...request, kind, model })).toEqual(call);
});

it('an agent that takes no first prompt is refused with what to do instead', () => {
  expect(() => planningCall({ ...request, kind: 'amp' })).toThrow(expect.objectContaining({ exitCode: 2, hint: expect.stringContaining('SKILL.md') }));
});
