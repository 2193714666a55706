import type * as z from 'zod';
import { didYouMean } from '../../kit/pure/did-you-mean.ts';
import { OperatorError } from '../../model/operator-error.ts';
import { SettingsFile } from '../../model/settings-file.ts';

/** One line that names the key: what is wrong, where, and what was meant. */
export function settingsProblem(error: z.ZodError, input: unknown, source: string): OperatorError {
  const issue = error.issues[0];
  const what = issue ? describe(issue, input) : 'the settings are not valid';
  return new OperatorError('settings-invalid', `failed to load settings: ${what} (${source})`, {
    hint: 'The settings are described in docs/reference/settings.md.',
    exitCode: 2,
  });
}

function describe(issue: z.core.$ZodIssue, input: unknown): string {
  const key = keyOf(issue.path);
  const got = JSON.stringify(valueAt(input, issue.path));
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((name) => unknownKey(key, name)).join('; ');
    case 'invalid_type':
      return `${key || 'the file'} must be ${article(issue.expected)}, got ${got ?? 'nothing'}`;
    case 'invalid_value':
      return `${key} must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}, got ${got}`;
    case 'invalid_union':
      return `${key} must be a number or a text, got ${got}`;
    default:
      return `${key} ${issue.message}, got ${got}`;
  }
}

function unknownKey(parent: string, name: string): string {
  const full = parent ? `${parent}.${name}` : name;
  const near = didYouMean(name, knownKeys(parent));
  return `${full} is not a setting${near ? `; did you mean "${near}"?` : ''}`;
}

function knownKeys(parent: string): readonly string[] {
  const top = SettingsFile.shape;
  if (parent === '') return Object.keys(top);
  if (parent === 'agent') return Object.keys(top.agent.unwrap().shape);
  if (parent === 'shutdownGrace') return Object.keys(top.shutdownGrace.unwrap().shape);
  if (parent.startsWith('guardrails[')) return Object.keys(top.guardrails.unwrap().element.shape);
  return [];
}

const keyOf = (path: readonly PropertyKey[]) =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? String(part) : `.${String(part)}`)).join('');

const valueAt = (input: unknown, path: readonly PropertyKey[]) =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | undefined)?.[part], input);

const article = (expected: string) => (/^[aeiou]/.test(expected) ? `an ${expected}` : expected === 'int' ? 'an integer' : `a ${expected}`);
