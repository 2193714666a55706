import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { wordsOf } from '../agents/command-words.ts';
import { definitionFor, definitionNamed } from '../agents/find-definition.ts';
import { openDescribedAgent } from '../agents/open-agent.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { findExecutable } from '../process/find-executable.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { CompleteLoop } from './schema/loop-settings.ts';
import type { RunSettings } from './schema/run-settings.ts';
import type { CompleteSettings } from './schema/settings-file.ts';

/** An agent whose command is known. */
export type NamedAgent = CompleteSettings['agent'] & { readonly command: string };

/** The kind of an agent that is a function, not a command. */
export const FUNCTION_KIND = 'function';

export function agentOf({ command, kind, flags, model, autonomy }: NamedAgent): RunSettings['agent'] {
  const { name } = kind === undefined ? definitionFor(command) : definitionNamed(kind);
  return { kind: name, command, flags: [...flags], model: model ?? null, autonomy };
}

/** An agent that is a function of the calling program. Only that program can run it. */
export function functionAgent({ agent, model }: Pick<CompleteLoop, 'agent' | 'model'>): RunSettings['agent'] {
  return { kind: FUNCTION_KIND, command: agent, flags: [], model: model ?? null, autonomy: 'full' };
}

/** Refuses an agent that cannot be started, before anything is written that would have to be undone. */
export async function checkAgent(settings: RunSettings, place: Pick<Workspace, 'cwd' | 'env' | 'git'>): Promise<void> {
  if (settings.agent.kind === FUNCTION_KIND) return;
  openDescribedAgent(settings, place);
  // The microVM has its own agent under the same name.
  if (settings.wall.mode === 'docker') return;
  const path = place.env['PATH'];
  const [file = ''] = wordsOf(settings.agent.command);
  // Without PATH the system uses its own default, which we do not know.
  if (path === undefined || (await findExecutable(file, { path, cwd: place.cwd })) !== null) return;
  throw /[\\/]/.test(file)
    ? await unusable(file, place.cwd)
    : refused(`the agent "${file}" was not found`, 'Install it, or name another with --agent; the directories of PATH were searched.');
}

async function unusable(file: string, cwd: string): Promise<OperatorError> {
  const found = await stat(resolve(cwd, file)).catch(() => null);
  if (found === null) return refused(`the agent "${file}" was not found`, 'Check the path; a relative path starts at the current directory.');
  if (found.isDirectory()) return refused(`the agent "${file}" is a directory`, 'Name a command.');
  return refused(`the agent "${file}" may not be executed`, `Make it executable (chmod +x), or name the program that runs it, such as: --agent "sh ${file}"`);
}

function refused(message: string, hint: string): OperatorError {
  return new OperatorError('agent-not-found', message, { hint, exitCode: 4 });
}
