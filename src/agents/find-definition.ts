import { OperatorError } from '../kit/pure/operator-error.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { wordsOf } from './command-words.ts';
import { definitions, plainCommand } from './definitions.ts';

/** The definition that matches this command's name; an unknown command is a plain one. */
export function definitionFor(commandLine: string): AgentDefinition {
  const name = commandName(commandLine);
  return definitions.find((definition) => definition.matches(name)) ?? plainCommand;
}

export function definitionNamed(name: string): AgentDefinition {
  const found = definitions.find((definition) => definition.name === name);
  if (found !== undefined) return found;
  throw new OperatorError('unknown-agent', `There is no agent called "${name}".`, {
    hint: `Choose one of ${definitions.map((definition) => definition.name).join(', ')}.`,
    exitCode: 2,
  });
}

/** Lower-case basename without `.exe`, on either kind of path. */
function commandName(commandLine: string): string {
  const file = wordsOf(commandLine)[0] ?? '';
  const basename = file.split(/[\\/]/).at(-1) ?? '';
  return basename.toLowerCase().replace(/\.exe$/, '');
}
