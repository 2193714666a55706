import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { readText, type TextRead, textOf } from '../../kit/files/read-text.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { SettingsFile } from '../../settings/schema/settings-file.ts';
import { currentDirectory } from './flags.ts';
import { agentsGiven, type SettingFlags, settingsFromFlags } from './settings-from-flags.ts';

/** The options of `ralph run`, as commander parses them. */
export interface RunFlags extends SettingFlags {
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly agents?: string;
  readonly check?: readonly string[];
  readonly resume?: string | true;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly ui?: boolean;
  readonly watch?: boolean;
  readonly plain?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** The command line as a settings file that overrides the others. */
export function settingsFromOptions(flags: RunFlags): SettingsFile {
  const guardrails = flags.check?.map((command) => ({ command }));
  const gates = guardrails === undefined ? [] : [{ key: 'guardrails', flag: '--check', value: guardrails }];
  return settingsFromFlags('run', flags, [...gates, ...agentsGiven(flags.agents, 'agent.command')]);
}

interface PromptSources extends Pick<RunFlags, 'prompt' | 'promptFile'> {
  /** The argument of `ralph run "text"`; null if there is none. */
  readonly text?: string | null;
}

/** Exactly one of the sources, with the error messages of seed 001. Reads now what can be read only once: a pipe or standard input. */
export async function promptFrom(sources: PromptSources): Promise<RunSettings['prompt']> {
  refuseSeveralPrompts(sources);
  const { prompt, text, promptFile } = sources;
  const words = prompt ?? text;
  if (words) return { from: 'text', text: words };
  if (promptFile === undefined)
    throw wrong('must specify prompt (--prompt or --prompt-file)', 'For example: ralph run "Make the tests pass, then answer DONE" --agent claude');
  const read =
    promptFile === '-' ? textOf(await buffer(io().stdin), false) : await readText(promptFile && resolve(currentDirectory(), promptFile), 'read pipes');
  if (read.kind === 'no-text') throw whyNot(read, promptFile);
  if (read.text.trim() === '') throw whyNot({ kind: 'no-text', why: 'empty', reason: '' }, promptFile);
  return read.isRegular ? { from: 'file', path: promptFile } : { from: 'text', text: read.text };
}

function refuseSeveralPrompts({ text = null, prompt, promptFile }: PromptSources): void {
  if (prompt !== undefined && promptFile !== undefined) throw wrong('cannot specify both --prompt and --prompt-file', 'Leave one of them out.');
  if (text === null || (prompt ?? promptFile) === undefined) return;
  const flag = prompt === undefined ? '--prompt-file' : '--prompt';
  const what = `cannot specify both ${flag} and the prompt ${JSON.stringify(truncateCodePoints(text, 60, '…'))}`;
  throw wrong(what, 'Leave one of them out; put a prompt of several words in quotes.');
}

function whyNot({ why, reason }: Extract<TextRead, { kind: 'no-text' }>, path: string): OperatorError {
  const name = path === '-' ? 'the prompt on standard input' : `prompt file ${path}`;
  switch (why) {
    case 'missing':
      return wrong(`prompt file not found: ${path}`, 'Check the path; a relative path starts at the current directory.');
    case 'directory':
      return wrong(`prompt file is a directory: ${path}`, 'Name a file.');
    case 'empty':
      return wrong(`${name} is empty`, 'Write in it what the agent should do.');
    case 'not-utf-8':
      // Agents read UTF-8 and would misread other bytes.
      return wrong(`${name} is not UTF-8 text`, 'Convert it, for example with: iconv -t UTF-8');
    case 'not-regular':
    case 'refused':
      return wrong(`prompt file cannot be read: ${path}: ${reason}`, 'Check its permissions.');
  }
}

function wrong(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}

/** A resumed run keeps its own settings, so these flags would have no effect. */
export function refuseFlagsWithResume(flags: object, argument: 'a task' | 'a prompt' | null = null): void {
  const [flag] = Object.keys(flags).map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  const other = argument ?? flag;
  if (other === undefined) return;
  throw new OperatorError('usage', `cannot specify both --resume and ${other}`, {
    hint: `A run continues with the settings it was started with; leave the ${argument?.replace('a ', '') ?? 'flag'} out, or start a new run.`,
    exitCode: 2,
  });
}
