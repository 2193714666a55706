import { currentDirectory } from '../../../cli/shared/flags.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { io } from '../../../process/io.ts';
import { projectFolder } from '../plan-folder.ts';
import { planSession } from '../plan-session.ts';

interface NewFlags {
  readonly agent?: string;
  readonly model?: string;
  readonly projectDir?: string;
}

export async function newPlanCommand({ agent, model, projectDir }: NewFlags): Promise<number> {
  if (!io().stdin.isTTY || !io().stdout.isTTY) throw noTerminal();
  return await planSession({ project: projectFolder(currentDirectory(), projectDir ?? null), agent: agent ?? null, model: model ?? null });
}

function noTerminal(): OperatorError {
  return new OperatorError('no-terminal', 'ralph plan new requires an interactive terminal', {
    hint: 'A script cannot answer questions: write ralph/prd.md and ralph/tasks.json, then: ralph plan check',
    exitCode: 2,
  });
}
