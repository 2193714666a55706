import type { AgentDefinition } from './agent-definition.ts';
import { choosesOneOf } from './chosen-flags.ts';
import { wordsOf } from './words.ts';

interface Words {
  readonly definition: Pick<AgentDefinition, 'textUnless'>;
  readonly command: string;
  readonly flags: readonly string[];
}

/** Whether this agent, with the words the operator gave it, can be asked for plain text. If not, its events are the answer to both. */
export function offersText({ definition, command, flags }: Words): boolean {
  if (definition.textUnless === undefined) return false;
  return !choosesOneOf([command, ...flags].flatMap(wordsOf), definition.textUnless);
}
