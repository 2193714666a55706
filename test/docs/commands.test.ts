import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildProgram, loadCommands } from '../../src/cli/program.ts';
import { whyNotParsed } from './parse-command.ts';
import { filesEndingWith, projectRoot } from './project-files.ts';
import { commandsInMarkdown, commandsInSource, type PrintedCommand, readingsOf } from './ralph-commands.ts';

const commands = await loadCommands();

type Find = (text: string) => readonly PrintedCommand[];

const pages = filesEndingWith('.md');
const sources = filesEndingWith('.ts').filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts'));

const commandsOf = (file: string, find: Find) => find(readFileSync(join(projectRoot, file), 'utf8'));

function wrongCommandsOf(file: string, find: Find): readonly string[] {
  return commandsOf(file, find).flatMap(({ line, text }) =>
    readingsOf(text).flatMap((words) => {
      const reason = whyNotParsed(buildProgram(commands), words);
      return reason === null ? [] : `${file}:${line}: ${text}: ${reason}`;
    }),
  );
}

describe('every ralph command we print', () => {
  it.each(pages)('parses: %s', (page) => {
    expect(wrongCommandsOf(page, commandsInMarkdown)).toEqual([]);
  });

  it('parses in the messages of the program', () => {
    expect(sources.flatMap((source) => wrongCommandsOf(source, commandsInSource))).toEqual([]);
  });

  it('is found', () => {
    expect(pages.flatMap((page) => commandsOf(page, commandsInMarkdown))).not.toEqual([]);
  });
});
