import type { RunSettings } from '../../settings/schema/run-settings.ts';

/** Patterns of all that no agent may change, whatever the recipe: a loop has some of its own. */
export function protectedPaths({ protect, loop }: Pick<RunSettings, 'protect' | 'loop'>): readonly string[] {
  return [...new Set([...protect, ...(loop?.protect ?? [])])];
}

const MOST_PATHS = 20;

/** What an agent is told whose changes were put back. */
export function protectedWords(paths: readonly string[]): string {
  const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : '';
  return `${PUT_BACK}: ${paths.slice(0, MOST_PATHS).join(', ')}${more}. Leave these paths alone and solve the task without them.`;
}

export const isAboutProtected = (message: string) => message.startsWith(PUT_BACK);

const PUT_BACK = 'You changed what is protected, and it was put back';
