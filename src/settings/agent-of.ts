import { definitionFor, definitionNamed } from '../agents/find-definition.ts';
import type { CompleteLoop } from './schema/loop-settings.ts';
import type { RunSettings } from './schema/run-settings.ts';
import type { CompleteSettings } from './schema/settings-file.ts';

/** An agent with its command, and what is known of how to speak with it. */
export type NamedAgent = CompleteSettings['agent'] & { readonly command: string };

/** The kind of an agent that no command line could run. */
export const FUNCTION = 'function';

export function agentOf({ command, kind, flags, model, autonomy }: NamedAgent): RunSettings['agent'] {
  const { name } = kind === undefined ? definitionFor(command) : definitionNamed(kind);
  return { kind: name, command, flags: [...flags], model: model ?? null, autonomy };
}

/** An agent that is a function of the caller's: only the program that brings it can run it. */
export function functionAgent({ agent, model }: Pick<CompleteLoop, 'agent' | 'model'>): RunSettings['agent'] {
  return { kind: FUNCTION, command: agent, flags: [], model: model ?? null, autonomy: 'full' };
}
