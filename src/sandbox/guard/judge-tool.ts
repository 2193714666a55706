import { judgeCommand } from './judge-command.ts';
import { CATEGORIES, type GuardFinding, type GuardPlace, type Objection, type Verdict, verdictOf } from './rule.ts';
import { whyNotWritten } from './rules/paths.ts';
import { type Sensitive, sensitiveToRead, sensitiveToWrite } from './sensitive-paths.ts';
import { withoutSigns } from './shell/holes.ts';

/** A call of a tool that an agent is about to make. */
export interface GuardedCall {
  readonly tool: string;
  /** Every spelling of the file's path. */
  readonly paths: readonly string[];
  readonly command: string | null;
}

const WRITING = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
const READING = new Set(['Read', 'Grep']);

/** Every tool the guard checks, as a pattern for claude's hooks. */
export const GUARDED_TOOLS = [...WRITING, 'Bash', ...READING].join('|');

/** Judges a tool call. Unknown tools are allowed. */
export function judgeTool({ tool, paths, command }: GuardedCall, place: GuardPlace): Verdict {
  if (command !== null) return judgeCommand(command, place);
  if (WRITING.has(tool)) return judgeWrite(paths, place);
  return READING.has(tool) ? judgeRead(paths, place) : { level: 'allow', findings: [] };
}

/** The message for the model: one line per finding, the worst first. */
export function verdictText({ findings }: Verdict): string {
  const order = (level: GuardFinding['level']) => (level === 'block' ? 0 : 1);
  const sorted = [...findings].sort((a, b) => order(a.level) - order(b.level)).slice(0, MOST_TOLD);
  return sorted.map(({ name, why, part }) => `${why} (${name}: ${part})`).join('\n');
}

const MOST_TOLD = 5;

/** Judges whether a tool may write these files: categories 15 and 18, and any other category a path can have. */
export function judgeWrite(paths: readonly string[], place: GuardPlace): Verdict {
  return judged(paths, (path) => sensitiveToWrite(path, place), whyNotWritten);
}

/** Judges whether a tool may read these files: category 6. */
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
