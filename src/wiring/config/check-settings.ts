import type * as z from 'zod';
import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';
import type { OperatorError } from '../../model/operator-error.ts';
import { SettingsFile } from '../../model/settings-file.ts';

/** The settings, or the first thing that is wrong with them in one line that begins with its key. Files and command line are checked alike. */
export function checkSettings(input: unknown, refuse: (problem: string) => OperatorError): SettingsFile {
  const checked = SettingsFile.safeParse(input);
  if (checked.success) return checked.data;
  throw refuse(checked.error.issues.slice(0, 1).map(describe).join());
}

/** The schema says what is wrong, the path says where. */
function describe(issue: z.core.$ZodIssue): string {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
  return `${keyOf(path) || 'the settings'} ${issue.message}`;
}

const keyOf = (path: readonly PropertyKey[]) =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${nameOf(String(part))}`)).join('');

const nameOf = (key: string) => (/^[$\w-]{1,60}$/.test(key) ? key : truncateCodePoints(JSON.stringify(key), 60, '…'));
