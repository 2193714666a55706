import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanProblem } from '../../journal/words/plan.ts';
import { hasCode } from '../../kit/files/read.ts';
import type { Draft } from './draft.ts';
import { pathProblem } from './page.ts';

/** A file of a plan as it is now. */
export interface SourceFile {
  /** From the top of the work tree. */
  readonly path: string;
  /** Null when it is not text; `why` says what it is. */
  readonly text: string | null;
  readonly why: string;
  /** Of its bytes. */
  readonly digest: string;
}

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** Ten times the size of a plan with 100,000 tasks. */
const MOST_BYTES = 400 * 1024 * 1024;

/** Null when it does not exist. Links are never followed, neither for the file nor for its folders: whoever made a link would decide what is read. */
export function readSourceFile(top: string, path: string): SourceFile | null {
  try {
    const link = linkOnTheWay(top, path);
    if (link !== null) return noText(path, `${link} is a link: the plan must be in the work tree itself`);
    const fd = openSync(join(top, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      return readOpen(fd, path);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null;
    return noText(path, `it cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
}

function readOpen(fd: number, path: string): SourceFile {
  const found = fstatSync(fd);
  if (found.isDirectory()) return noText(path, 'it is a directory');
  if (!found.isFile()) return noText(path, 'it is not a regular file');
  if (found.size > MOST_BYTES) return noText(path, 'it is too large');
  const bytes = readFileSync(fd);
  const digest = digestOf(bytes);
  return isUtf8(bytes) ? { path, text: bytes.toString('utf8'), why: '', digest } : { path, text: null, why: 'it is not UTF-8 text', digest };
}

function noText(path: string, why: string): SourceFile {
  return { path, text: null, why, digest: digestOf(Buffer.from(`not text: ${why}`)) };
}

/** The first part of a path that is a link, relative to the top; null when none is. */
export function linkOnTheWay(top: string, path: string): string | null {
  const parts = path.split('/');
  for (let count = 1; count <= parts.length; count += 1) {
    const part = parts.slice(0, count).join('/');
    if (lstatSync(join(top, part), { throwIfNoEntry: false })?.isSymbolicLink()) return part;
  }
  return null;
}

export function digestOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The digest of several files, including their names. */
export function digestOfAll(files: readonly SourceFile[]): string {
  return digestOf(files.map(({ path, digest }) => `${JSON.stringify(path)} ${digest}\n`).join(''));
}

/** A path that should lead to a file. It is found when the plan is parsed, and checked each time the plan is read. */
export interface NamedPath {
  readonly path: string;
  readonly file: string;
  readonly line: number;
  readonly task: string | null;
}

export function namedPaths({ tasks, stories, milestones }: Draft): readonly NamedPath[] {
  const named = [
    ...tasks.map(({ task, spot }) => ({ path: task.path, spot, task: task.id })),
    ...[...stories, ...milestones].map(({ path, spot }) => ({ path, spot, task: null })),
  ];
  return named.flatMap(({ path, spot, task }) => {
    const { file, lineOf } = spot.page;
    return path === null || path === file || pathProblem(path) !== null ? [] : [{ path, file, line: lineOf(spot.offset), task }];
  });
}

export function danglingPaths(top: string, named: readonly NamedPath[]): readonly PlanProblem[] {
  const missing = new Set([...new Set(named.map(({ path }) => path))].filter((path) => !existsSync(join(top, path))));
  return named.filter(({ path }) => missing.has(path)).map(({ path, file, line, task }) => ({ file, line, message: `${path} does not exist`, task }));
}
