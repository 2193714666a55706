import type * as z from 'zod';
import type { EventBody } from '../journal/events/journal-event.ts';
import type { OperatorError } from '../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../kit/pure/text.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { factsOf, protectedPaths } from './schema/recipe-facts.ts';
import type { RunSettings } from './schema/run-settings.ts';
import { leavesDirtOut } from './schema/scm-words.ts';
import { SettingsFile } from './schema/settings-file.ts';

interface Place {
  /** Such as `guardrails[1].command`. */
  readonly key: string;
  readonly path: readonly PropertyKey[];
}

/** Makes the error from a one-line problem that begins with the key. */
type Refuse = (problem: string, place: Place) => OperatorError;

/** Returns the settings or throws for the first problem. Files and the command line use the same check. */
export function checkSettings(input: unknown, refuse: Refuse): SettingsFile {
  return checkAgainst(SettingsFile, input, refuse);
}

export function checkAgainst<Schema extends z.ZodType>(schema: Schema, input: unknown, refuse: Refuse): z.infer<Schema> {
  // Compiling the schema does not pay off for one or two checks.
  const checked = schema.safeParse(input, { jitless: true });
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const path = issue ? pathOf(issue) : [];
  const key = keyOf(path);
  throw refuse(`${key || 'the settings'} ${issue?.message}`, { key, path });
}

function pathOf(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  return issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
}

const keyOf = (path: readonly PropertyKey[]) =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${nameOf(String(part))}`)).join('');

const nameOf = (key: string) => (/^[$\w-]{1,60}$/.test(key) ? key : truncateCodePoints(JSON.stringify(key), 60, '…'));

/** How many dirty paths the journal lists; their count is always complete. */
const REMEMBERED_PATHS = 100;

export type StartState = Extract<EventBody, { type: 'run.started' }>['found'];

/** The workspace at the start of a run. The start tree is kept in the repository only if the run needs it later: for a loop, protected paths or a proof. */
export async function startState({ git }: Workspace, settings: RunSettings): Promise<StartState> {
  const found = (await git?.snapshot(keepsTrees(settings))) ?? null;
  return found && { ...found, dirty: found.dirty.slice(0, REMEMBERED_PATHS), dirty_count: found.dirty.length };
}

/** Whether the trees that a run inspects are kept in the repository. */
export function keepsTrees(settings: RunSettings): boolean {
  return factsOf(settings).keepsProgress || settings.proof !== undefined || leavesDirtOut(settings.scm) || protectedPaths(settings).length > 0;
}
