import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { hintForCommand } from '../../src/cli/near-misses.ts';
import { buildProgram, loadCommands } from '../../src/cli/program.ts';
import { whyNotParsed } from './parse-command.ts';
import { filesEndingWith, projectRoot } from './project-files.ts';
import { commandsInMarkdown, commandsInSource, mentionsInSource, type PrintedCommand, readingsOf } from './ralph-commands.ts';

const commands = await loadCommands();

type Find = (text: string) => readonly PrintedCommand[];

const pages = filesEndingWith('.md');
const sources = filesEndingWith('.ts').filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts'));

const commandsOf = (file: string, find: Find) => find(readFileSync(join(projectRoot, file), 'utf8'));

function wrongCommandsOf(file: string, find: Find): readonly string[] {
  return commandsOf(file, find).flatMap(({ line, text }) =>
    readingsOf(text).flatMap((words) => {
      const reason = whyNotParsed(buildProgram(commands), words);
      // It tells which words of other loops are understood.
      const isOfOthers = file === 'CHANGELOG.md' && hintForCommand(words[0] ?? '') !== null;
      return reason === null || isOfOthers ? [] : `${file}:${line}: ${text}: ${reason}`;
    }),
  );
}

/** A lower-case word belongs to a command line as its command or subcommand, right or wrong, and as the value of a flag. */
function isPartOf(program: Command, [first, ...others]: readonly string[], word: string): boolean {
  if (first === undefined) return /^[a-z][a-z-]*$/.test(word);
  const command = program.commands.find((each) => each.name() === first);
  if (others.length === 0 && command !== undefined && command.commands.length > 0) return /^[a-z][a-z-]*$/.test(word);
  const flag = [first, ...others].at(-1) ?? '';
  return (command ?? program).options.some(({ long, short, required }) => required && (flag === long || flag === short));
}

describe('every ralph command we print', () => {
  it.each(pages)('parses: %s', (page) => {
    expect(wrongCommandsOf(page, commandsInMarkdown)).toEqual([]);
  });

  it('parses in the messages of the program', () => {
    expect(sources.flatMap((source) => wrongCommandsOf(source, commandsInSource))).toEqual([]);
  });

  it('has a command and flags that there are, wherever a message of the program mentions it', () => {
    const program = buildProgram(commands);
    const wrong = sources.flatMap((source) => wrongCommandsOf(source, (text) => mentionsInSource(text, (before, word) => isPartOf(program, before, word))));
    expect(wrong).toEqual([]);
  });

  it.each([
    ["hint: 'Take it back with: ralph undoo RUN'", "unknown command 'undoo'"],
    ["hint: 'ralph runs stopp RUN; or wait.'", "unknown command 'runs stopp'"],
    ['hint: `Continue: ralph run --resum ${run}`', "unknown option '--resum'"],
    ["'See ralph gates --try plants failures, ralph loop -x y'", "unknown option '-x'"],
    ["'ralph runs resume RUN goes on'", null],
    ["'ralph knows only this; try ralph --help'", null],
  ])('%s', (source, reason) => {
    const program = buildProgram(commands);
    const found = mentionsInSource(source, (before, word) => isPartOf(program, before, word));
    const reasons = found.flatMap(({ text }) => readingsOf(text).map((words) => whyNotParsed(buildProgram(commands), words))).filter((why) => why !== null);
    expect(reasons.join()).toEqual(reason === null ? '' : expect.stringContaining(reason));
  });

  it('is found', () => {
    expect(pages.flatMap((page) => commandsOf(page, commandsInMarkdown))).not.toEqual([]);
  });
});
