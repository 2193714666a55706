import type { ArithmeticFor, CompoundList, Statement, While } from 'unbash';

/** Whether a loop runs forever without a pause, so that it starts new processes before the earlier ones have ended. */
export function isEndless(node: While | ArithmeticFor): boolean {
  const goesOn = node.type === 'While' ? isAlways(node.clause, node.kind) : node.test === undefined;
  return goesOn && !node.body.commands.some((each) => RESTS.has(nameOf(each) ?? ''));
}

const RESTS = new Set(['wait', 'sleep', 'read', 'break', 'exit', 'return', 'inotifywait', 'fswatch']);
const ALWAYS: Readonly<Record<While['kind'], ReadonlySet<string>>> = { while: new Set(['true', ':', 'yes']), until: new Set(['false']) };

function isAlways({ commands }: CompoundList, kind: While['kind']): boolean {
  const [only, ...others] = commands;
  return only !== undefined && others.length === 0 && ALWAYS[kind].has(nameOf(only) ?? '');
}

function nameOf({ command, background }: Statement): string | undefined {
  if (background) return undefined;
  const node = command.type === 'Pipeline' && command.commands.length === 1 ? command.commands[0] : command;
  return node?.type === 'Command' ? node.name?.value : undefined;
}
