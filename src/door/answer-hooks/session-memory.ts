import { closeSync, fstatSync, readSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { openRegular } from '../../kit/files/read.ts';
import { writeFresh } from '../../kit/files/write.ts';

/** What is remembered about one session of an agent. */
export interface SessionMemory {
  /** The highest threshold it was alerted about; 0: none. */
  readonly lastAlert: (session: string) => number;
  /** How often in a row it was kept from stopping. */
  readonly blocks: (session: string) => number;
  /** False: the value could not be stored, so the caller must not act on it. */
  readonly keepAlert: (session: string, threshold: number) => boolean;
  readonly keepBlocks: (session: string, blocks: number) => boolean;
  readonly forget: (session: string) => void;
}

/** Far more than one loop has at a time; the oldest is dropped first. */
const MOST_SESSIONS = 200;

/** Session memory that lives as long as its loop. */
export function openSessionMemory(): SessionMemory {
  const sessions = new Map<string, { told: number; blocks: number }>();

  function of(session: string): { told: number; blocks: number } {
    const known = sessions.get(session) ?? { told: 0, blocks: 0 };
    sessions.set(session, known);
    const [oldest] = sessions.keys();
    if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    return known;
  }

  return {
    lastAlert: (session) => sessions.get(session)?.told ?? 0,
    blocks: (session) => sessions.get(session)?.blocks ?? 0,
    keepAlert(session, threshold) {
      of(session).told = threshold;
      return true;
    },
    keepBlocks(session, blocks) {
      of(session).blocks = blocks;
      return true;
    },
    forget: (session) => void sessions.delete(session),
  };
}

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
