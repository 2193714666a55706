/** What we read of the JSON an agent gives its hooks. Nothing of it is believed to be there. */
export interface HookInput {
  readonly session: string;
  readonly cwd: string | null;
  readonly transcript: string | null;
  readonly isStopHookActive: boolean;
  /** Somebody who works for the agent, with a window of its own. */
  readonly isSubagent: boolean;
  readonly tool: string | null;
  readonly toolInput: Readonly<Record<string, unknown>>;
  /** What is not committed in the agent's own repository, which only its hook can see. Null where it has none. */
  readonly dirtyPaths: readonly string[] | null;
}

type Fields = Readonly<Record<string, unknown>>;

export function readHookInput(input: unknown): HookInput {
  const fields = fieldsOf(input);
  return {
    session: textOf(fields['session_id']) ?? 'unknown',
    cwd: textOf(fields['cwd']),
    transcript: textOf(fields['transcript_path']),
    isStopHookActive: fields['stop_hook_active'] === true,
    isSubagent: textOf(fields['agent_id']) !== null,
    tool: textOf(fields['tool_name']),
    toolInput: fieldsOf(fields['tool_input']),
    dirtyPaths: textsOf(fields[DIRTY_PATHS]),
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Beside what the agent says: our own hook adds it. */
export const DIRTY_PATHS = 'ralph_dirty_paths';

const textsOf = (value: unknown) => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : null);

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** What a hook prints, in the agent's own protocol. Null: nothing at all, for plain words of some hooks would reach the model. */
export type HookAnswer = StopAnswer | ContextAnswer | GuardAnswer | WarnAnswer | AdviceAnswer | null;

type StopAnswer = { readonly decision: 'approve' } | { readonly decision: 'block'; readonly reason: string };

interface ContextAnswer {
  readonly hookSpecificOutput: { readonly hookEventName: 'PostToolUse'; readonly additionalContext: string };
}

interface GuardAnswer {
  readonly hookSpecificOutput: { readonly hookEventName: 'PreToolUse'; readonly permissionDecision: 'deny'; readonly permissionDecisionReason: string };
}

interface WarnAnswer {
  readonly systemMessage: string;
}

interface AdviceAnswer {
  readonly hookSpecificOutput: { readonly hookEventName: 'PreToolUse'; readonly additionalContext: string };
}

export const approval: HookAnswer = { decision: 'approve' };

export const block = (reason: string): HookAnswer => ({ decision: 'block', reason });

export const moreContext = (text: string): HookAnswer => ({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: text } });

export const denial = (reason: string): HookAnswer => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason },
});

/** It is allowed, and the operator hears of it. */
export const warning = (text: string): HookAnswer => ({ systemMessage: text });

/** It is allowed, and the model is told what is against it. */
export const advice = (text: string): HookAnswer => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: text } });

const NAMES = ['stop', 'context', 'guard', 'session-start'] as const;

/** What an agent's hooks ask: whether it may stop, how full its window is, whether it may touch that, and to begin anew. */
export type HookName = (typeof NAMES)[number];

export const HOOK_NAMES: readonly HookName[] = NAMES;

export function isHookName(word: unknown): word is HookName {
  return NAMES.some((name) => name === word);
}
