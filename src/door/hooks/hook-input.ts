/** The parts that we read of an agent's hook input. Any of them may be missing. */
export interface HookInput {
  readonly session: string;
  readonly cwd: string | null;
  readonly transcript: string | null;
  readonly isStopHookActive: boolean;
  /** A sub-agent of the agent, with a context window of its own. */
  readonly isSubagent: boolean;
  readonly tool: string | null;
  readonly toolInput: Readonly<Record<string, unknown>>;
  /** Uncommitted paths in the agent's own repository, which only its hook can see. Null where it has none. */
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

/** Our own hook adds this field to the agent's input. */
export const DIRTY_PATHS = 'ralph_dirty_paths';

const textsOf = (value: unknown) => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : null);

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** What a hook prints, in the agent's protocol. Null: nothing at all, because plain text of some hooks would reach the model. */
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

/** Allowed, and the operator is warned. */
export const warning = (text: string): HookAnswer => ({ systemMessage: text });

/** Allowed, and the model is told what is wrong with it. */
export const advice = (text: string): HookAnswer => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: text } });

const NAMES = ['stop', 'context', 'guard', 'session-start'] as const;

/** The questions of an agent's hooks: may it stop, how full is its window, may it make this tool call, and a new session. */
export type HookName = (typeof NAMES)[number];

export const HOOK_NAMES: readonly HookName[] = NAMES;

export function isHookName(word: unknown): word is HookName {
  return NAMES.some((name) => name === word);
}
