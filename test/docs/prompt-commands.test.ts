import { describe, expect, it } from 'vitest';
import { buildProgram, loadCommands } from '../../src/cli/program.ts';
import { buildRootPrompt } from '../../src/recipes/supervise/root-prompt.ts';
import type { RootPromptRequest } from '../../src/recipes/supervise/root-prompt-history.ts';
import { whyNotParsed } from './parse-command.ts';
import { commandsInMarkdown, readingsOf } from './ralph-commands.ts';

const commands = await loadCommands();

const request: Omit<RootPromptRequest, 'agent'> = {
  project: 'demo',
  task: 'docs',
  run: 'r1',
  folder: '/tasks/demo/docs',
  variables: [],
  text: 'The work.',
  life: 2,
  maximum: 100,
  checks: ['npm test'],
  previous: { tail: 'I was here.', ended: 'It failed.' },
  messages: [],
  failures: [{ action: 'APPEND', check: 'npm test', message: 'red' }],
  answers: [],
};

const commandsFor = (agent: RootPromptRequest['agent']) => commandsInMarkdown(buildRootPrompt({ ...request, agent })).map(({ text }) => text);

describe('every ralph command that a prompt teaches', () => {
  it.each(['root', 'child'] as const)('parses: the %s agent', (agent) => {
    const wrong = commandsFor(agent).flatMap((text) =>
      readingsOf(text).flatMap((words) => {
        const reason = whyNotParsed(buildProgram(commands), words);
        return reason === null ? [] : `${text}: ${reason}`;
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('is found', () => {
    expect(commandsFor('root')).toContain('ralph bus post --type wait_without_restart --body "why"');
    expect(commandsFor('child')).toContain('ralph job --follow -p "what to do"');
  });
});
