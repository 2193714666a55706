const NAMES = ['stop', 'context', 'guard', 'session-start'] as const;

/** What an agent's hooks ask: whether it may stop, how full its window is, whether it may touch that, and to begin anew. */
export type HookName = (typeof NAMES)[number];

export const HOOK_NAMES: readonly HookName[] = NAMES;

export function isHookName(word: unknown): word is HookName {
  return NAMES.some((name) => name === word);
}
