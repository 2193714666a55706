import type { ChildRequest } from '../../../journal/effects/task-effect.ts';

/** How a child is called when nobody says otherwise. */
export interface UsualChild {
  /** The program and what every call of it begins with, up to and with `job`. */
  readonly file: string;
  readonly args: readonly string[];
  /** What names the agent of a child that was asked for without one, and its model: flags, over which what the child was asked for wins. */
  readonly agentArgs: readonly string[];
  readonly task: string;
}

/** The words that start a child. Values are tied to their flags: whatever an agent asks for, none of it is taken for a flag. */
export function childArgs(child: ChildRequest, { args, agentArgs, task }: UsualChild, promptFile: string | null): readonly string[] {
  return [
    ...args,
    `--run-id=${child.run}`,
    `--parent-run-id=${child.parent}`,
    `--task=${child.task ?? task}`,
    ...(child.agent === null ? agentArgs : [`--agent=${child.agent}`]),
    ...flag('--model', child.model),
    ...child.checks.map((command) => `--check=${command}`),
    ...flag('--cwd', child.cwd),
    ...flag('--idle-timeout', durationOf(child.idle_ms)),
    ...flag('--run-timeout', durationOf(child.run_ms)),
    ...flag('--prompt-file', promptFile),
  ];
}

function durationOf(ms: number | null): string | null {
  return ms === null ? null : `${ms}ms`;
}

function flag(name: string, value: string | null): readonly string[] {
  return value === null ? [] : [`${name}=${value}`];
}
