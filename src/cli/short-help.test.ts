import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { whyNotParsed } from '../../test/docs/parse-command.ts';
import { readingsOf } from '../../test/docs/ralph-commands.ts';
import { buildProgram, commandNames, loadCommands } from './program.ts';
import { type HelpLength, helpLengthIn, SHORT_HELP, setHelpLength } from './short-help.ts';
import { EXAMPLES, GROUPS } from './top-help.ts';

const commands = await loadCommands();

/** Of a command, or of the whole program. */
function helpOf(name: string | null, length: HelpLength): string {
  const program = buildProgram(commands);
  setHelpLength(program, length);
  let help = '';
  const command = name === null ? program : (program.commands.find((each) => each.name() === name) as Command);
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help;
}

describe('ralph --help', () => {
  const short = helpOf(null, 'short');
  const grouped = GROUPS.flatMap((group) => Object.keys(group.commands));

  it('fits on a screen: examples first, then the commands in groups', () => {
    expect(short).toMatch(/^Usage: ralph .*\n\n.*\n\nExamples:\n {2}ralph loop /);
    expect(short.trimEnd().split('\n').length).toBeLessThanOrEqual(41);
    for (const line of short.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('names every command once, and --all describes them all', () => {
    const more = /^More: ([^.]*?)\n\n/m.exec(short)?.[1]?.split(/,\s+/) ?? [];
    expect([...grouped, ...more].toSorted()).toEqual(commandNames.toSorted());
    const rows = [...helpOf(null, 'all').matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name);
    expect(rows).toEqual(expect.arrayContaining([...commandNames]));
  });

  it('has only examples that parse', () => {
    for (const example of EXAMPLES) for (const words of readingsOf(example)) expect(whyNotParsed(buildProgram(commands), words)).toBeNull();
  });
});

const flagsIn = (help: string) => [...help.matchAll(/^ {2}(?:-\w, )?--([\w-]+)/gm)].map(([, flag]) => flag);

describe.each(Object.keys(SHORT_HELP))('the short help of ralph %s', (name) => {
  const short = helpOf(name, 'short');

  it('shows examples first, then about ten options in groups, and where the rest is', () => {
    expect(short).toMatch(/^Usage: .*\n\nExamples:\n {2}ralph /);
    expect(flagsIn(short).toSorted()).toEqual([...(SHORT_HELP[name]?.options ?? []), 'help'].toSorted());
    expect(flagsIn(short).length).toBeLessThanOrEqual(13);
    expect(short.trimEnd()).toMatch(/ more options and how it works: ralph \w+ --help --all$/);
    for (const line of short.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    expect(short.split('\n').length).toBeLessThanOrEqual(48);
  });

  it('has only examples that parse', () => {
    for (const example of SHORT_HELP[name]?.examples ?? [])
      for (const words of readingsOf(example)) expect(whyNotParsed(buildProgram(commands), words)).toBeNull();
  });

  it('leaves nothing out that the long one does not show', () => {
    const command = buildProgram(commands).commands.find((each) => each.name() === name);
    const shown = new Set(flagsIn(helpOf(name, 'all')));
    const undocumented = command?.options.filter(
      ({ long, description }) => description !== 'the opposite' && long !== '--run-id' && !shown.has(long?.replace('--', '') ?? ''),
    );
    expect(undocumented?.map(({ long }) => long)).toEqual([]);
  });
});

/** A command, and those below it. */
const withBelow = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(withBelow)];

describe('the word for what decides', () => {
  // Flags, commands, placeholders and keys of the settings keep their names.
  const NAMES = /--(gate|guardrail)\b|ralph gates\b|\{gate\}|guardrails? (of|in) the settings|dead_gate|^ {2}gates\b/gm;
  const program = buildProgram(commands);
  setHelpLength(program, 'all');

  it.each(withBelow(program).map((command) => [command.name(), command] as const))('is "check" in the help of ralph %s', (_name, command) => {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    const lines = help.replaceAll(NAMES, '').split('\n');
    expect(lines.filter((line) => /\b(gate|guardrail|validator)s?\b/i.test(line) && !line.includes('Usage:'))).toEqual([]);
  });
});

describe('the arguments', () => {
  it.each<[string, HelpLength | null]>([
    ['run --help', 'short'],
    ['run -h', 'short'],
    ['help run', 'short'],
    ['run --help --all', 'all'],
    ['run --all --help', 'all'],
    ['help run --all', 'all'],
    ['gates --all', null],
    ['supervise -- agent --help', null],
    ['run x', null],
  ])('ralph %s ask for the help %s', (line, length) => {
    expect(helpLengthIn(line.split(' '))).toBe(length);
  });
});
