import { type Line, span } from '../../../report/console/line.ts';
import { row, shorten } from '../../../report/console/look.ts';
import { plainBanner, plainScreen, type RecipeScreen } from '../../../report/console/recipe-screen.ts';
import type { LoopSettings } from '../clean-prompt.ts';

export const loopScreen: RecipeScreen = {
  ...plainScreen,
  banner: {
    ...plainBanner,
    about: ({ loop: { worktree } }: LoopSettings) => worktree && `worktree ${worktree.path}`,
    rows: loopRows,
  },
};

const PATTERNS_CHARS = 300;

/** The settings that only a loop has; unused ones are not mentioned. */
function loopRows({ loop: { spec, worktree, protect, verifyClean } }: LoopSettings): readonly Line[] {
  return [
    ...optional('spec', spec && `${spec.path}, ${spec.follow ? 'changes count' : 'as it is now'}`),
    ...optional('worktree', worktree && `${worktree.path}, branch ${worktree.branch}`),
    ...optional('protected', protect.length === 0 ? null : shorten(protect.join(', '), PATTERNS_CHARS)),
    ...optional('verified', verifyClean ? 'once more in a fresh checkout before a good end' : null),
  ];
}

function optional(label: string, fact: string | null): readonly Line[] {
  return fact === null ? [] : [row(label, span(fact))];
}
