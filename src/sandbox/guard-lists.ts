import { join } from 'node:path';
import { readRegular } from '../kit/files/read.ts';
import type { GuardLists } from '../settings/schema/sandbox-spec.ts';

type Part = 'allow' | 'deny' | 'warn';

/** The command lists in a project's settings, for a guard that runs without a loop. A file that cannot be read counts as empty. */
export function projectLists(root: string): GuardLists {
  const shared = groupOf(join(root, '.ralph', 'settings.json'));
  const own = groupOf(join(root, '.ralph', 'settings.local.json'));
  const part = (name: Part) => textsOf(own[name]) ?? textsOf(shared[name]) ?? [];
  return { allow: [...part('allow'), ...allowedBySeed(root)], deny: part('deny'), warn: part('warn') };
}

/** Reads `ralph/allowed-commands.txt` of seed 003: each line is the beginning of an allowed command. */
export function allowedBySeed(root: string, folder = 'ralph'): string[] {
  const lines = readRegular(join(root, folder, 'allowed-commands.txt'))?.split('\n') ?? [];
  return lines.map((line) => line.replace(/^\s*#.*/, '').trim()).filter((line) => line !== '');
}

function groupOf(path: string): Readonly<Record<string, unknown>> {
  try {
    const settings: unknown = JSON.parse(readRegular(path) ?? '{}');
    return fieldsOf(fieldsOf(settings)['guard']);
  } catch {
    return {};
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : {};
}

function textsOf(value: unknown): string[] | null {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : null;
}
