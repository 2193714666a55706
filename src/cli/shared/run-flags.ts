import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { readText, type TextRead, textOf } from '../../kit/files/read-text.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { io } from '../../process/io.ts';
import { checkSettings } from '../../settings/check-settings.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { SettingsFile } from '../../settings/schema/settings-file.ts';
import { currentDirectory, numberOrText } from './flags.ts';
import { type SandboxFlags, sandboxSettings } from './sandbox-flags.ts';

/** The options of `ralph run`, as commander parses them. */
export interface RunFlags extends SandboxFlags {
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly maximumIterations?: string;
  readonly maxIterations?: string;
  readonly completionResponse?: string;
  readonly completionPromise?: string;
  readonly agent?: string;
  readonly backend?: string;
  readonly tool?: string;
  readonly agentKind?: string;
  readonly model?: string;
  readonly autonomy?: string;
  readonly guardrail?: readonly string[];
  readonly idleTimeout?: string;
  readonly iterationTimeout?: string;
  readonly maxLimitWait?: string;
  readonly requireProof?: boolean;
  readonly requireChange?: boolean;
  readonly resume?: string | true;
  readonly streamAgentOutput?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

const SHORT: Readonly<Record<string, string>> = { prompt: '-p', promptFile: '-f', maximumIterations: '-m', completionResponse: '-c' };

/** The flag of an option, in its short form if there is one. */
function flagOf(option: keyof RunFlags): string {
  return SHORT[option] ?? `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The options that set a setting: our name first, then the names that other loops use. */
const OPTIONS_OF = {
  maximumIterations: ['maximumIterations', 'maxIterations'],
  completionResponse: ['completionResponse', 'completionPromise'],
  streamAgentOutput: ['streamAgentOutput'],
  'agent.command': ['agent', 'backend', 'tool'],
  'agent.kind': ['agentKind'],
  'agent.model': ['model'],
  'agent.autonomy': ['autonomy'],
  guardrails: ['guardrail'],
  idleTimeout: ['idleTimeout'],
  iterationTimeout: ['iterationTimeout'],
  maxLimitWait: ['maxLimitWait'],
  requireChange: ['requireChange'],
} as const satisfies Readonly<Record<string, readonly (keyof RunFlags)[]>>;

type Key = keyof typeof OPTIONS_OF;

/** The command line as a settings file that overrides the others. The same schema checks it. */
export function settingsFromOptions(options: RunFlags): SettingsFile {
  const over: Record<string, unknown> = {};
  const agent: Record<string, unknown> = {};
  for (const key of Object.keys(OPTIONS_OF) as Key[]) {
    const value = settingFrom(key, options);
    if (value === undefined) continue;
    if (!key.startsWith('agent.')) over[key] = value;
    else agent[key.replace('agent.', '')] = value;
  }
  const all = Object.keys(agent).length > 0 ? { ...over, agent } : over;
  return checkSettings({ ...all, ...sandboxSettings(options) }, (problem, { key }) => refusal(`${problem}${fromWhere(key, options)}`));
}

function settingFrom(key: Key, options: RunFlags): unknown {
  const name = optionFor(key, options);
  if (name === undefined) return undefined;
  if (name === 'guardrail') return options.guardrail?.map((command) => ({ command }));
  return key === 'maximumIterations' ? numberOrText(String(options[name])) : options[name];
}

const optionFor = (key: Key, options: RunFlags) => OPTIONS_OF[key].find((name) => options[name] !== undefined);

/** The problem names the key of the setting; this adds the flag that was typed. */
function fromWhere(key: string, options: RunFlags): string {
  const [setting = ''] = key.split('[');
  const name = Object.hasOwn(OPTIONS_OF, setting) ? optionFor(setting as Key, options) : undefined;
  return name === undefined ? '' : ` (from ${flagOf(name)})`;
}

function refusal(problem: string): OperatorError {
  return new OperatorError('usage', problem, { hint: 'ralph run --help shows every option.', exitCode: 2 });
}

/** Exactly one of the two, with the error messages of seed 001. Reads now what can be read only once: a pipe or standard input. */
export async function promptFrom({ prompt, promptFile }: Pick<RunFlags, 'prompt' | 'promptFile'>): Promise<RunSettings['prompt']> {
  if (prompt !== undefined && promptFile !== undefined) throw wrong('cannot specify both --prompt and --prompt-file', 'Leave one of them out.');
  if (prompt) return { from: 'text', text: prompt };
  if (promptFile === undefined)
    throw wrong('must specify prompt (--prompt or --prompt-file)', 'For example: ralph run -p "Make the tests pass" --agent claude');
  const read =
    promptFile === '-' ? textOf(await buffer(io().stdin), false) : await readText(promptFile && resolve(currentDirectory(), promptFile), 'read pipes');
  if (read.kind === 'no-text') throw whyNot(read, promptFile);
  return read.isRegular ? { from: 'file', path: promptFile } : { from: 'text', text: read.text };
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
export function refuseFlagsWithResume(flags: object, task: string | null = null): void {
  const [flag] = Object.keys(flags).map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  const other = task === null ? flag : 'a task';
  if (other === undefined) return;
  throw new OperatorError('usage', `cannot specify both --resume and ${other}`, {
    hint: `A run continues with the settings it was started with; leave the ${task === null ? 'flag' : 'task'} out, or start a new run.`,
    exitCode: 2,
  });
}
