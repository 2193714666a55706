import { expect, it } from 'vitest';
import { definitionNamed } from './find-definition.ts';

const session = { model: null, plugin: '/p', prompt: 'Plan with me.' };

it.each([
  ['claude', null, ['--plugin-dir', '/p', '/ralph:ralph-plan']],
  ['claude', 'opus', ['--plugin-dir', '/p', '--model', 'opus', '/ralph:ralph-plan']],
  ['codex', 'gpt', ['--model', 'gpt', 'Plan with me.']],
  ['gemini', null, ['--prompt-interactive', 'Plan with me.']],
  ['opencode', null, ['--prompt', 'Plan with me.']],
  ['command', null, ['Plan with me.']],
])('%s with the model %s opens a planning session as it requires', (kind, model, args) => {
  expect(definitionNamed(kind).planningArgs({ ...session, model })).toEqual(args);
});

it('an agent that takes no first prompt refuses a planning session, and says what to do instead', () => {
  expect(() => definitionNamed('amp').planningArgs(session)).toThrow(expect.objectContaining({ exitCode: 2, hint: expect.stringContaining('SKILL.md') }));
});
