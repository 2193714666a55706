import { describe, expect, it } from 'vitest';
import { cameOf, commandOf, filesOf } from './loop.ts';
import { ANY, OURS, PRESETS } from './presets.ts';

const given = { bin: 'node main.js', prompt: "Don't", gate: 'npm test', agent: "node 'a b.js'", dir: '/tmp/x' };
const preset = (name: string) => PRESETS.find((each) => each.name === name) ?? OURS;

describe('a tested loop', () => {
  it('is called with its words quoted, and its program as given', () => {
    expect(commandOf(OURS, given)).toBe(`node main.js loop 'Don'\\''t' --check 'npm test' --agent 'node '\\''a b.js'\\''' --max-iterations 2 --quiet --json`);
  });

  it('finds its prompt in its files', () => {
    const { 'prd.json': text = '' } = filesOf(preset('ralph-tui'), { prompt: 'Say "hi".', gate: 'npm test' });
    expect(JSON.parse(text).userStories[0]).toMatchObject({ title: 'Say "hi".', acceptanceCriteria: ['npm test passes'] });
  });

  it.each([
    [OURS, 0, '', 'done'],
    [OURS, 1, '', 'not-done'],
    [OURS, 3, '', 'held'],
    [OURS, 70, 'a bug', 'error'],
    [OURS, null, '', 'error'],
    [{ ...ANY, command: 'x' }, 127, 'not found', 'error'],
    [{ ...ANY, command: 'x' }, 3, '', 'not-done'],
    [preset('ralphy'), 0, 'Completed: 1', 'done'],
    [preset('ralphy'), 0, 'Failed: 1\nAll tasks completed!', 'not-done'],
    [preset('open-ralph-wiggum'), 0, 'Max iterations (2) reached', 'not-done'],
  ])('reports by its exit code and its output whether it is done', (loop, exitCode, output, expected) => {
    expect(cameOf(loop, { exitCode, output })).toBe(expected);
  });
});
