import { closeSync, fstatSync, readSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { openRegular } from '../../kit/files/read.ts';
import { writeFresh } from '../../kit/files/write.ts';
import type { SessionMemory } from './session-memory.ts';

const ALERTS = 'claude-context-alerts-';
const BLOCKS = 'claude-stop-blocks-';
const LONGEST_ID = 100;

/**
 * Session memory without a loop: a number in a file of our own for each session (seed 003). Others may write in that folder, so their files are neither read
 * nor followed.
 */
export function openSessionFiles(folder: string): SessionMemory {
  const at = (what: string, session: string) => join(folder, what + session.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, LONGEST_ID));
  return {
    lastAlert: (session) => readNumber(at(ALERTS, session)),
    blocks: (session) => readNumber(at(BLOCKS, session)),
    keepAlert: (session, threshold) => keepNumber(at(ALERTS, session), threshold),
    keepBlocks: (session, blocks) => keepNumber(at(BLOCKS, session), blocks),
    forget(session) {
      for (const what of [ALERTS, BLOCKS]) remove(at(what, session));
    },
  };
}

function readNumber(path: string): number {
  const fd = openRegular(path);
  if (fd === null) return 0;
  try {
    const isOurs = fstatSync(fd).uid === (process.getuid?.() ?? fstatSync(fd).uid);
    const bytes = Buffer.alloc(16);
    const text = bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, 0)).trim();
    return isOurs && /^\d{1,9}$/.test(text) ? Number(text) : 0;
  } catch {
    return 0;
  } finally {
    closeSync(fd);
  }
}

function keepNumber(path: string, number: number): boolean {
  try {
    writeFresh(path, `${number}\n`);
    return true;
  } catch {
    return false;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The file does not exist, or belongs to somebody else.
  }
}
