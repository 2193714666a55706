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
