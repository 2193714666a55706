import { parseDuration } from '../../kit/pure/amounts.ts';
import * as z from '../../kit/pure/shape.ts';

/** The file of a sealed folder with the questions and the expected answers. Only the loop reads it. */
export const SEALED_LIST = 'sealed.json';

/** The name of the sealed folder in the copy of the project in which its drivers run. */
export const SEALED_FOLDER = 'ralph-sealed';

const Check = z.strictObject({
  /** A shell command that runs at the top of the project, such as `node ralph-sealed/add.mjs`. */
  driver: z.string().min(1),
  /** What the driver gets with each question; any JSON. */
  input: z.unknown().optional(),
  /** The expected answer; any JSON. Absent: its exit code decides, which is weak. */
  expect: z.unknown().optional(),
  /** In `ralph work`: the check applies only to these tasks. */
  tasks: z.array(z.string().min(1)).optional(),
});

const List = z.strictObject({
  /** One sentence that agents get when these checks are red. */
  hint: z.string().min(1).optional(),
  /** How long one driver may take. */
  timeout: z.string().optional(),
  checks: z.array(Check).min(1),
});

export interface SealedCheck {
  readonly driver: string;
  readonly input: unknown;
  /** Null if the exit code decides. */
  readonly expect: { readonly value: unknown } | null;
  /** Empty if it applies to all tasks. */
  readonly tasks: readonly string[];
}

export interface SealedList {
  readonly hint: string | null;
  readonly timeoutMs: number;
  readonly checks: readonly SealedCheck[];
}

const DEFAULT_TIMEOUT = '5m';

/** The list, or a few words about what is wrong with it: where, and never the contents. */
export function readSealedList(text: string): SealedList | { readonly problem: string } {
  const json = parsed(text);
  if (json === undefined) return { problem: 'is not JSON' };
  const { data, error } = List.safeParse(json);
  if (data === undefined) return { problem: `is not as it should be at ${error?.issues[0]?.path.join('.') || 'its top'}` };
  const timeoutMs = parseDuration(data.timeout ?? DEFAULT_TIMEOUT);
  if (timeoutMs === null || timeoutMs === 0) return { problem: 'has a timeout that is no duration such as "90s"' };
  return { hint: data.hint ?? null, timeoutMs, checks: data.checks.map(checkOf) };
}

/** The checks that a merged task has to satisfy. */
export function checksFor(list: SealedList, task: string): SealedList {
  return { ...list, checks: list.checks.filter(({ tasks }) => tasks.length === 0 || tasks.includes(task)) };
}

export function countsOf({ checks }: SealedList): { readonly checks: number; readonly weak: number } {
  return { checks: checks.length, weak: checks.filter(({ expect }) => expect === null).length };
}

function checkOf(check: z.infer<typeof Check>): SealedCheck {
  const { driver, input = null, tasks = [] } = check;
  return { driver, input, expect: Object.hasOwn(check, 'expect') ? { value: check.expect } : null, tasks };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
