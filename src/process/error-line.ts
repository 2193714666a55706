import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { oneLine, truncateCodePoints } from '../kit/pure/text.ts';
import type { ProcessEnding, ProcessRequest } from './process-request.ts';

const LONGEST = 300;

/** `error: unknown option '--x'`, `ERROR: You've hit …`, `TypeError: …`, `! [rejected]`: the lines after it are advice or a stack. */
const saysWhatWentWrong = /^(?:(?:\w*error|fatal|abort)\b\s*:|! \[)/i;

/** The line of a failed program's output that explains the failure best; null if there is no line. */
export function errorLineIn(output: string): string | null {
  const lines = output
    .split(/[\r\n]+/)
    .map((line) => oneLine(stripVTControlCharacters(line)))
    .filter(Boolean);
  const line = lines.findLast((text) => saysWhatWentWrong.test(text)) ?? lines.at(-1);
  return line === undefined ? null : truncateCodePoints(line, LONGEST, '…');
}

type NeverStarted = Extract<ProcessEnding, { kind: 'never-started' }>;

/** The system reports the same error for a missing command and a missing directory; this distinguishes them. */
export function whyNotStarted(error: unknown, { file, cwd }: Pick<ProcessRequest, 'file' | 'cwd'>): NeverStarted {
  const trouble = directoryTrouble(cwd);
  if (trouble !== null) return neverStarted('bad-directory', `The directory "${cwd}" ${trouble}.`);
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return neverStarted('not-found', `The command "${file}" was not found${isThere(cwd, file) ? ': its interpreter is missing' : ''}.`);
    case 'EACCES':
    case 'EPERM':
    case 'ENOEXEC':
      return neverStarted('not-executable', `The command "${file}" may not be executed.`);
    case 'E2BIG':
      return neverStarted('other', `The arguments or the environment of "${file}" are too long for the system.`);
    default:
      return neverStarted('other', `The command "${file}" could not be started: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function directoryTrouble(cwd: string): string | null {
  try {
    if (!statSync(cwd).isDirectory()) return 'is not a directory';
    accessSync(cwd, constants.X_OK);
    return null;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'does not exist' : 'cannot be entered';
  }
}

/** A script with a missing interpreter gives the same error as a missing script. */
function isThere(cwd: string, file: string): boolean {
  return file.includes('/') && existsSync(resolve(cwd, file));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function neverStarted(reason: NeverStarted['reason'], message: string): NeverStarted {
  return { kind: 'never-started', reason, message };
}
