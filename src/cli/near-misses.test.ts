import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { whyNotParsed } from '../../test/docs/parse-command.ts';
import { projectRoot } from '../../test/docs/project-files.ts';
import { readingsOf } from '../../test/docs/ralph-commands.ts';
import { hintForCommand, hintForFlag } from './near-misses.ts';
import { buildProgram, loadCommands } from './program.ts';

const commands = await loadCommands();
const source = readFileSync(join(projectRoot, 'src/cli/near-misses.ts'), 'utf8');
const named = [...source.matchAll(/(?:: |, or )(ralph [^';$]+?)(?=[;']|, or )/g)].map(([, command = '']) => command);

describe('a hint for a near miss', () => {
  it.each([...new Set(named)])('names a command that parses: %s', (command) => {
    for (const words of readingsOf(command)) expect(whyNotParsed(buildProgram(commands), words)).toBeNull();
  });

  it('is never for a command or a flag that every command has', () => {
    const program = buildProgram(commands);
    for (const { name } of program.commands.map((command) => ({ name: command.name() }))) expect(hintForCommand(name)).toBeNull();
    for (const flag of ['--agent', '--json', '--sandbox', '--check']) expect(hintForFlag(flag)).toBeNull();
  });

  it('quotes a prompt as a shell needs it', () => {
    expect(hintForCommand("don't stop")).toBe(`For a prompt: ralph run 'don'\\''t stop'`);
    expect(hintForCommand('constructor')).toBeNull();
    expect(hintForFlag('--prd=x.json')).toBe('Work on the tasks of a file with: ralph work --plan FILE');
  });
});

describe('the names of limits and checks', () => {
  const valuesOf = (...words: readonly string[]) => {
    const program = buildProgram(commands);
    const command = program.commands.find((each) => each.name() === words[0]);
    command?.action(() => undefined);
    program.parse([...words], { from: 'user' });
    return command?.opts() ?? {};
  };

  it.each([
    ['run', 'check', 'maxIterations', 'maximumIterations'],
    ['loop', 'check', 'maxIterations', 'maxIterations'],
    ['work', 'check', 'maxIterations', 'maxIterations'],
    ['supervise', 'check', 'maxRestarts', 'maxRestarts'],
    ['init', 'check', 'maxIterations', 'maxIterations'],
  ])('of every recipe are understood by ralph %s', (name, checks, short, long) => {
    expect(valuesOf(name, '--check', 'a', '--guardrail', 'b', '--check', 'c')[checks]).toEqual(['a', 'b', 'c']);
    expect(valuesOf(name, '--max-iterations', '7')[short]).toBe('7');
    expect(valuesOf(name, '--maximum-iterations', '7')[long]).toBe('7');
    expect(valuesOf(name, '-n', '7')[short]).toBe('7');
    // Seed 003 has given -m to the model.
    expect(valuesOf(name, '-m', '7')[name === 'work' ? 'model' : long]).toBe('7');
  });
});
