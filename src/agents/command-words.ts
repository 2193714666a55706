import { OperatorError } from '../kit/pure/operator-error.ts';
import { splitWords } from '../kit/pure/shell-words.ts';
import type { AgentDefinition } from './agent-definition.ts';

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
  if (definition.textUnless === undefined) return false;
  return !choosesOneOf(operatorWords(said), definition.textUnless);
}

/** All words that the operator passes to an agent, including arguments in its command. */
export function operatorWords({ command, flags }: Pick<Words, 'command' | 'flags'>): readonly string[] {
  return [command, ...flags].flatMap(wordsOf);
}

/**
 * Variables that a Claude Code session sets for its child processes. A loop started from such a session starts agents of its own, so these are removed. The
 * operator's configuration (CLAUDE_CODE_MAX_RETRIES, CLAUDE_CONFIG_DIR, CLAUDE_CODE_OAUTH_TOKEN, …) stays.
 */
export const sessionMarkers: readonly string[] = [
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_PLUGIN_ROOT',
  'CLAUDE_PLUGIN_DATA',
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_ENV_FILE',
];
