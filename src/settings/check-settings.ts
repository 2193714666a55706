import type * as z from 'zod';
import { truncateCodePoints } from '../kit/pure/truncate-code-points.ts';
import type { OperatorError } from '../kit/pure/operator-error.ts';
import { SettingsFile } from './schema/settings-file.ts';

interface Place {
  /** As people write it: `guardrails[1].command`. */
  readonly key: string;
  readonly path: readonly PropertyKey[];
}

/** What is wrong, in one line that begins with the key of what it is wrong with. */
type Refuse = (problem: string, place: Place) => OperatorError;

/** The settings, or the first thing that is wrong with them. Files and command line are checked alike. */
export function checkSettings(input: unknown, refuse: Refuse): SettingsFile {
  return checkAgainst(SettingsFile, input, refuse);
}

export function checkAgainst<Schema extends z.ZodType>(schema: Schema, input: unknown, refuse: Refuse): z.infer<Schema> {
  const checked = schema.safeParse(input);
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
