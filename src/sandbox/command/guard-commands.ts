import { buffer } from 'node:stream/consumers';
import { currentDirectory } from '../../cli/shared/flags.ts';
import { hereSetup } from '../../door/answer-hooks/hook-sources.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { printable } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { judgeCommand } from '../guard/judge-command.ts';
import { CATEGORIES, type GuardLevel, type Verdict } from '../guard/rule.ts';
import { ALL_RULES } from '../guard/rules/all-rules.ts';

interface GuardFlags {
  readonly json?: boolean;
}

const BLOCKED = 1;

export async function explainCommand(word: string, { json }: GuardFlags): Promise<number> {
  const command = word === '-' ? (await buffer(io().stdin)).toString('utf8') : word;
  if (command.trim() === '')
    throw new OperatorError('usage', 'there is no command to explain', { hint: 'Write it in quotes: ralph guard explain "rm -rf dist"', exitCode: 2 });
  const verdict = judgeCommand(command, hereSetup(currentDirectory()).place);
  print(json ? JSON.stringify({ command, ...verdict }) : explained(verdict).join('\n'));
  return verdict.level === 'block' ? BLOCKED : 0;
}

const LEVELS: Readonly<Record<GuardLevel, string>> = { allow: 'Allowed.', warn: 'Allowed, with a warning.', block: 'Blocked.' };

function explained({ level, findings }: Verdict): readonly string[] {
  const lines = findings.flatMap((each) => [
    `${each.level === 'block' ? 'block' : 'warn '}  ${printable(each.part)}`,
    `       ${each.why}`,
    `       ${each.category} ${each.name}, ${each.rule}`,
  ]);
  return [LEVELS[level], ...lines];
}

function print(lines: string): void {
  io().stdout.write(`${lines}\n`);
}

export function listCommand({ json }: GuardFlags): number {
  const all = Object.entries(CATEGORIES).filter(([number]) => number !== '0');
  const listed = all.map(([number, name]) => ({
    category: Number(number),
    name,
    rules: ALL_RULES.filter(({ category }) => category === Number(number)).map(({ id }) => id),
  }));
  print(
    json
      ? JSON.stringify({ categories: listed })
      : listed.map(({ category, name, rules }) => `${String(category).padStart(2)} ${name}\n   ${rules.join(', ')}`).join('\n'),
  );
  return 0;
}
