import { judgeCommand } from './judge-command.ts';
import { judgeRead, judgeWrite } from './judge-paths.ts';
import type { GuardFinding, GuardPlace, Verdict } from './verdict.ts';

/** What an agent is about to do with one of its tools. */
export interface GuardedCall {
  readonly tool: string;
  /** Each way to spell the file it is about. */
  readonly paths: readonly string[];
  readonly command: string | null;
}

const WRITING = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
const READING = new Set(['Read', 'Grep']);

/** Every tool the guard looks at, as claude matches them. */
export const GUARDED_TOOLS = [...WRITING, 'Bash', ...READING].join('|');

/** Whether a tool may be used that way. What it does not know it has nothing against. */
export function judgeTool({ tool, paths, command }: GuardedCall, place: GuardPlace): Verdict {
  if (command !== null) return judgeCommand(command, place);
  if (WRITING.has(tool)) return judgeWrite(paths, place);
  return READING.has(tool) ? judgeRead(paths, place) : { level: 'allow', findings: [] };
}

/** What a model is told: each finding a line, the worst first. */
export function verdictText({ findings }: Verdict): string {
  const order = (level: GuardFinding['level']) => (level === 'block' ? 0 : 1);
  const sorted = [...findings].sort((a, b) => order(a.level) - order(b.level)).slice(0, MOST_TOLD);
  return sorted.map(({ name, why, part }) => `${why} (${name}: ${part})`).join('\n');
}

const MOST_TOLD = 5;
