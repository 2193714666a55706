import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { definitionFor } from '../../agents/find-definition.ts';
import { wordsOf } from '../../agents/words.ts';
import { isThere } from '../../kit/files/is-there.ts';
import { packagePath } from '../../kit/files/package-root.ts';
import { runInteractive } from '../../process/run-interactive.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { findAgents } from '../../agents/find-agents.ts';
import { FOLDER } from './plan-folder.ts';
import { planningCall } from './planning-call.ts';

const SIGNAL_BASE = 128;
const SIGNALS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 };

export interface SessionWish {
  readonly project: string;
  /** Null: that of the settings, else the first there is. */
  readonly agent: string | null;
  readonly model: string | null;
}

/** Lets the user's agent ask them all it needs for a plan. What it ends with is the exit code. */
export async function planSession({ project, agent, model }: SessionWish): Promise<number> {
  await refuseWithoutFolder(project);
  const { settings } = await loadSettings(project);
  const command = agent ?? settings.agent?.command ?? (await firstAgent(project));
  const kind = agent === null ? (settings.agent?.kind ?? definitionFor(command).name) : definitionFor(command).name;
  const [file = '', ...args] = planningCall({ words: wordsOf(command), kind, model, plugin: packagePath('plugin'), skill: await skillText() });
  const ending = await runInteractive({ file, args, cwd: project, env: environment() });
  if (ending.kind === 'exited') return ending.code;
  if (ending.kind === 'signalled') return SIGNAL_BASE + (SIGNALS[ending.signal] ?? 0);
  throw new OperatorError('agent-not-found', ending.message, { hint: 'Install it, or name another with --agent.', exitCode: 4 });
}

async function refuseWithoutFolder(project: string): Promise<void> {
  if (await isThere(join(project, FOLDER))) return;
  throw new OperatorError('no-stories', `there is no ${FOLDER}/ in ${project}`, { hint: 'Make it first with: ralph plan init', exitCode: 2 });
}

async function firstAgent(project: string): Promise<string> {
  const [first] = await findAgents(project);
  if (first !== undefined) return first;
  throw new OperatorError('agent-not-found', 'no agent is named, and none was found on PATH', {
    hint: 'Install one, or say which to run: --agent <command>.',
    exitCode: 4,
  });
}

async function skillText(): Promise<string> {
  const text = await readFile(packagePath('plugin', 'skills', 'ralph-plan', 'SKILL.md'), 'utf8');
  return text.replace(/^---\n[\s\S]*?\n---\n/, '').trim();
}
