import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wordsOf } from '../../agents/command-words.ts';
import { findAgents } from '../../agents/find-agents.ts';
import { definitionFor } from '../../agents/find-definition.ts';
import { packagePath } from '../../kit/files/package-root.ts';
import { pathExists } from '../../kit/files/read.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { runInteractive } from '../../process/run-interactive.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import { FOLDER } from './plan-folder.ts';

const SIGNAL_BASE = 128;
const SIGNALS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 };

export interface SessionRequest {
  readonly project: string;
  /** Null: the agent of the settings, else the first one found. */
  readonly agent: string | null;
  readonly model: string | null;
}

/** Starts the user's agent for a planning session. Returns its exit code. */
export async function planSession({ project, agent, model }: SessionRequest): Promise<number> {
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
  if (await pathExists(join(project, FOLDER))) return;
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

export interface PlanningRequest {
  /** The words of the agent's command, and its kind by its name. */
  readonly words: readonly string[];
  readonly kind: string;
  readonly model: string | null;
  /** The folder of our plugin, and the text of the skill in it, without its front matter. */
  readonly plugin: string;
  readonly skill: string;
}

/** How each agent is started interactively with a first prompt; the others take it as their last argument. */
const FIRST_PROMPT: Readonly<Record<string, (prompt: string) => readonly string[]>> = {
  gemini: (prompt) => ['--prompt-interactive', prompt],
  opencode: (prompt) => ['--prompt', prompt],
};

/** The command that opens a planning session. claude gets the skill from our plugin; every other agent gets its text in the prompt. */
export function planningCall({ words, kind, model, plugin, skill }: PlanningRequest): readonly string[] {
  const named = model === null ? [] : ['--model', model];
  if (kind === 'claude') return [...words, '--plugin-dir', plugin, ...named, '/ralph:ralph-plan'];
  if (kind === 'amp') throw takesNone(plugin);
  const prompt = `Do what follows, together with me, in this directory.\n\n${skill}`;
  return [...words, ...named, ...(FIRST_PROMPT[kind]?.(prompt) ?? [prompt])];
}

function takesNone(plugin: string): OperatorError {
  return new OperatorError('agent-takes-no-prompt', 'amp cannot be started at a terminal with a first prompt', {
    hint: `Start it yourself and say: do what ${plugin}/skills/ralph-plan/SKILL.md says. Or name another with --agent.`,
    exitCode: 2,
  });
}
