import type { Command } from 'commander';

/** The page with every command and every option, also those that a short help leaves out. */
export function commandsPage(program: Command): string {
  const commands = program.commands.flatMap((command) => [command, ...command.commands]);
  return `${[
    '# Commands',
    '',
    'Every command and every option, written from the program by `npm run generate`. `ralph run --help` shows the options that most people need, `ralph run --help --all` all of them.',
    '',
    ...commands.flatMap(sectionOf),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

function sectionOf(command: Command): readonly string[] {
  const rows = [
    ...command.registeredArguments.map((argument) => [argument.required ? `<${argument.name()}>` : `[${argument.name()}]`, argument.description]),
    ...command.options.filter(({ description }) => description !== 'the opposite').map(({ flags, description }) => [flags, description]),
  ];
  const table =
    rows.length === 0 ? [] : ['| option | what it does |', '|---|---|', ...rows.map((cells) => `| \`${cells[0]}\` | ${cell(cells[1] ?? '')} |`), ''];
  return [`## ralph ${nameOf(command)}`, '', cell(command.description()), '', ...table];
}

const nameOf = (command: Command) => (command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name());

/** A pipe would end the cell, and words in angle brackets would be a tag. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
