import type { AgentErrorKind } from '../journal/words/agent-event.ts';
import { openHeldFile } from '../kit/files/write.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { complaintIn } from '../process/complaint.ts';
import type { AgentDefinition, StreamParser } from './agent-definition.ts';
import { choosesOneOf, wordsOf } from './json.ts';

/** Plain text, from a command that nobody knows or an agent asked for it: every line is said, and the turn ends when the process does by itself. Whether it ended well is for the exit code to tell. */
export function openPlainParser(): StreamParser {
  return {
    line: (text) => [{ type: 'message', text }],
    end: (exited) => (exited ? [{ type: 'turn.finished', ok: true, text: '', reason: 'exited' }] : []),
    settled: () => false,
  };
}

/** For agents that have no option for a model: to ignore the wish would run the wrong one. */
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

/** Whether this agent, with the words the operator gave it, can be asked for plain text. If not, its events are the answer to both. */
export function offersText({ definition, command, flags }: Words): boolean {
  if (definition.textUnless === undefined) return false;
  return !choosesOneOf([command, ...flags].flatMap(wordsOf), definition.textUnless);
}

const END_BYTES = 64 * 1024;

/** Why an agent failed, in its own words: what it is called by them is known already. */
export function agentsComplaint(output: string): string | null {
  return complaintIn(output)?.replace(/^(?:error|fatal)\s*:\s*/i, '') ?? null;
}

/** The last part of a file, whatever its size; nothing of what is no regular file. */
export function endOfFile(path: string): string {
  using file = openHeldFile(path);
  file.hold();
  return file.read('end', END_BYTES);
}

/** What an HTTP status of a model's API means for the loop. */
export function kindOfStatus(status: number | null): AgentErrorKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'billing';
  if (status === 404) return 'model';
  if (status === 429) return 'limit';
  return status === 408 || (status !== null && status >= 500) ? 'transient' : 'other';
}

/**
 * What a Claude Code session puts into the environment of its children to say "you are inside me". A loop started from such a
 * session starts agents of its own, so these go; the operator's configuration (CLAUDE_CODE_MAX_RETRIES, CLAUDE_CONFIG_DIR,
 * CLAUDE_CODE_OAUTH_TOKEN, …) stays.
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
