import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wordsOf } from '../../../agents/command-words.ts';
import { definitionFor, definitionNamed } from '../../../agents/find-definition.ts';
import { currentDirectory } from '../../../cli/shared/flags.ts';
import { packagePath } from '../../../kit/files/package-root.ts';
import { pathExists } from '../../../kit/files/read.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { io } from '../../../process/io.ts';
import { runInteractive } from '../../../process/run-interactive.ts';
import { environment } from '../../../sandbox/environment/environment.ts';
import { agentsOnPath } from '../../../settings/agents-on-path.ts';
import { loadSettings } from '../../../settings/load-settings.ts';
import { FOLDER, projectFolder } from '../plan-folder.ts';

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

const SIGNAL_BASE = 128;
const SIGNALS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 };

export interface SessionRequest {
  readonly project: string;
  /** Null: the agent of the settings, else the first one found. */
  readonly agent: string | null;
  readonly model: string | null;
}

/** Starts the user's agent for a planning session. Returns its exit code. */
async function planSession({ project, agent, model }: SessionRequest): Promise<number> {
  await refuseWithoutFolder(project);
  const { settings } = await loadSettings(project);
  const command = agent ?? settings.agent?.command ?? (await agentsOnPath({ cwd: project, path: environment()['PATH'] ?? '' }))[0];
  const kind = agent === null ? settings.agent?.kind : undefined;
  const { planningArgs } = kind === undefined ? definitionFor(command) : definitionNamed(kind);
  const prompt = `Do what follows, together with me, in this directory.\n\n${await skillText()}`;
  const [file = '', ...words] = wordsOf(command);
  const args = [...words, ...planningArgs({ model, plugin: packagePath('plugin'), prompt })];
  const ending = await runInteractive({ file, args, cwd: project, env: environment() });
  if (ending.kind === 'exited') return ending.code;
  if (ending.kind === 'signalled') return SIGNAL_BASE + (SIGNALS[ending.signal] ?? 0);
  throw new OperatorError('agent-not-found', ending.message, { hint: 'Install it, or name another with --agent.', exitCode: 4 });
}

async function refuseWithoutFolder(project: string): Promise<void> {
  if (await pathExists(join(project, FOLDER))) return;
  throw new OperatorError('no-stories', `there is no ${FOLDER}/ in ${project}`, { hint: 'Make it first with: ralph plan init', exitCode: 2 });
}

async function skillText(): Promise<string> {
  const text = await readFile(packagePath('plugin', 'skills', 'ralph-plan', 'SKILL.md'), 'utf8');
  return text.replace(/^---\n[\s\S]*?\n---\n/, '').trim();
}
