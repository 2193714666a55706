import { CATEGORIES } from './categories.ts';
import type { Objection } from './rule.ts';
import { whyNotWritten } from './rules/paths.ts';
import { type Sensitive, sensitiveToRead, sensitiveToWrite } from './sensitive-paths.ts';
import { withoutSigns } from './shell/holes.ts';
import { type GuardFinding, type GuardPlace, type Verdict, verdictOf } from './verdict.ts';

/** Whether a tool may write these files: categories 15 and 18, and what else a path can be of. */
export function judgeWrite(paths: readonly string[], place: GuardPlace): Verdict {
  return judged(paths, (path) => sensitiveToWrite(path, place), whyNotWritten);
}

/** Whether a tool may read these files: category 6. */
export function judgeRead(paths: readonly string[], place: GuardPlace): Verdict {
  return judged(
    paths,
    (path) => sensitiveToRead(path, place),
    ({ level, what }) => ({ level, why: `This reads ${what}; secrets stay where they are, so ask the operator for what you need.` }),
  );
}

function judged(paths: readonly string[], find: (path: string) => Sensitive | null, say: (found: Sensitive) => Objection): Verdict {
  const findings = paths.flatMap((path): readonly GuardFinding[] => {
    const found = find(withoutSigns(path));
    return found === null ? [] : [{ ...say(found), category: found.category, name: CATEGORIES[found.category], rule: found.rule, part: path }];
  });
  return verdictOf(findings);
}
