import { OperatorError } from '../kit/pure/operator-error.ts';
import { splitWords } from '../kit/pure/shell-words.ts';
import { NO_LOGIN } from '../sandbox/agent-login.ts';
import type { AgentCall, AgentDefinition, CallSpec } from './agent-definition.ts';

/** Splits a command or a flag as the operator wrote it: `--model opus` is two words. No shell is involved. */
export function wordsOf(text: string): readonly string[] {
  const split = splitWords(text);
  if (split.kind === 'words') return split.words;
  throw new OperatorError('unterminated-word', `There is an open ${split.by} in: ${text}`, {
    hint: 'Close the quote, or put a backslash before it.',
    exitCode: 2,
  });
}

/** Whether the operator's own flags already decide what one of these would; `--name=value` counts as `--name`. */
export function choosesOneOf(flags: readonly string[], names: readonly string[]): boolean {
  return flags.some((flag) => names.includes(flag.split('=', 1)[0] ?? ''));
}

/** For agents with the usual option for a model. */
export function modelArgs(model: string | null): readonly string[] {
  return model === null ? [] : ['--model', model];
}

/** For agents without an option for a model: ignoring the setting would run the wrong one. */
export function refuseModel(agent: string, model: string | null): void {
  if (model === null) return;
  throw new OperatorError('no-model-option', `${agent} has no option for the model "${model}".`, {
    hint: 'Leave agent.model out, and put what this command needs into agent.flags.',
    exitCode: 2,
  });
}

interface Words {
  readonly definition: Pick<AgentDefinition, 'textUnless'>;
  readonly command: string;
  readonly flags: readonly string[];
}

/** Whether this agent, with the operator's flags, can print plain text. If not, it always answers with events. */
export function canPrintText({ definition, ...said }: Words): boolean {
  return definition.textUnless !== null && !choosesOneOf(operatorWords(said), definition.textUnless);
}

/** All words that the operator passes to an agent, including arguments in its command. */
export function operatorWords({ command, flags }: Pick<Words, 'command' | 'flags'>): readonly string[] {
  return [command, ...flags].flatMap(wordsOf);
}

/** What holds for every command about which only its output is known. */
export const ANY_COMMAND: Omit<AgentDefinition, 'name' | 'outputFormat' | 'call' | 'openParser'> = {
  program: null,
  textUnless: null,
  judge: null,
  stopWith: 'interrupt',
  // Some wrappers do, but that cannot be known beforehand.
  helpArgs: null,
  complaints: [],
  refusalInLog: null,
  taskFlags: () => [],
  planningArgs: ({ model, prompt }) => [...modelArgs(model), prompt],
  model: 'any',
  variables: [],
  sessionVariables: [],
  login: NO_LOGIN,
  obeys: [],
  dockerTemplate: null,
  preflight: null,
};

/** Only the operator's own flags. The prompt comes on stdin, and its file is named for commands that want one. */
export function callAnyCommand(agent: string, { model, flags, promptFile }: CallSpec): AgentCall {
  refuseModel(agent, model);
  return { args: flags, env: { RALPH_PROMPT_FILE: promptFile } };
}
