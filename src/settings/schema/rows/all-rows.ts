import { AGENT, AGENT_FALLBACK, CONSOLE, ENV, GUARD, PROOF, SANDBOX, SCM, SHUTDOWN_GRACE, STORE, WORKTREE } from './groups.ts';
import { LIMITS } from './limits.ts';
import { LOOP } from './loop.ts';
import { RUN } from './run.ts';
import type { FlagCommand, SettingFlag, SettingRow, SettingRows } from './setting-row.ts';

const GROUPS: Readonly<Record<string, SettingRows>> = {
  agent: { ...AGENT, ...AGENT_FALLBACK },
  scm: SCM,
  console: CONSOLE,
  loop: LOOP,
  worktree: WORKTREE,
  store: STORE,
  shutdownGrace: SHUTDOWN_GRACE,
  proof: PROOF,
  sandbox: SANDBOX,
  env: ENV,
  guard: GUARD,
};

/** Every setting with a row, by its key, such as `loop.maxCost`. */
export const ALL_ROWS: Readonly<Record<string, SettingRow>> = {
  ...RUN,
  ...LIMITS,
  ...Object.fromEntries(Object.entries(GROUPS).flatMap(([group, rows]) => Object.entries(rows).map(([key, row]) => [`${group}.${key}`, row]))),
};

/** The flag of a setting in one command. */
export interface CommandFlag {
  readonly key: string;
  readonly row: SettingRow;
  readonly flag: SettingFlag;
}

/** The flags that a command has for settings. */
export function flagsOfCommand(command: FlagCommand): readonly CommandFlag[] {
  return Object.entries(ALL_ROWS).flatMap(([key, row]) =>
    row.flag?.commands.includes(command) ? [{ key, row, flag: { ...row.flag, ...row.flag.but?.[command] } }] : [],
  );
}

/** The long name in the spelling of a flag, such as `--max-cost`. */
export const longNameIn = (spelling: string) => /--[a-z-]+/.exec(spelling)?.[0] ?? spelling;

/** The name under which the parser gives its value, such as `maxCost`; `--no-…` has that of its opposite. */
export function optionNameOf(spelling: string): string {
  return longNameIn(spelling)
    .replace(/^--(no-)?/, '')
    .replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
