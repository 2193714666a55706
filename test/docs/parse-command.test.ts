import { Command, InvalidArgumentError, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { whyNotParsed } from './parse-command.ts';
import { readingsOf } from './ralph-commands.ts';

function program(): Command {
  const ralph = new Command('ralph').version('1.0.0');
  const explode = () => {
    throw new Error('An action was run.');
  };
  ralph
    .command('run')
    .argument('[prompt]')
    .addOption(new Option('--agent <name>').choices(['claude', 'codex']))
    .option('--max-iterations <n>', 'a number', (value) => {
      if (!/^\d+$/.test(value)) throw new InvalidArgumentError('Not a number.');
      return Number(value);
    })
    .option('--resume [run]')
    .action(explode);
  const task = ralph.command('task');
  task.command('show').argument('<id>').action(explode);
  return ralph;
}

const wrong = (text: string) => readingsOf(text).flatMap((words) => whyNotParsed(program(), words) ?? []);

describe('parsing a printed command', () => {
  it.each([
    'ralph run',
    'ralph run "do it" --agent codex',
    'ralph run --agent <name> --max-iterations N',
    'ralph run [--resume [RUN]]',
    'ralph run --agent claude|codex',
    'ralph task',
    'ralph task show <id>',
    'ralph task show …',
    'ralph …',
    'ralph --version',
    'ralph run --help',
    'ralph help run',
  ])('accepts %s', (text) => {
    expect(wrong(text)).toEqual([]);
  });

  it.each([
    ['ralph rum', "error: unknown command 'rum'\n(Did you mean run?)"],
    ['ralph run --agnet claude', "error: unknown option '--agnet'\n(Did you mean --agent?)"],
    ['ralph run --agent gemini', "error: option '--agent <name>' argument 'gemini' is invalid. Allowed choices are claude, codex."],
    ['ralph run --max-iterations many', "error: option '--max-iterations <n>' argument 'many' is invalid. Not a number."],
    ['ralph run --agent', "error: option '--agent <name>' argument missing"],
    ['ralph run one two', "error: too many arguments for 'run'. Expected 1 argument but got 2."],
    ['ralph task show', "error: missing required argument 'id'"],
    ['ralph task gone', "error: unknown command 'gone'"],
    ['ralph task show --gone …', "error: unknown option '--gone'"],
  ])('refuses %s', (text, reason) => {
    expect(wrong(text)).toEqual([reason]);
  });
});
