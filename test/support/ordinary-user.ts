import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { onlyForRoot } from './skip-loudly.ts';

/** No name has to be known for it. */
const ID = 54321;

/** The user that starts a command, and the prefix of the command line for that. Only root can switch users; others test as themselves, with a message. */
export function users(): readonly (readonly [who: string, before: readonly string[]])[] {
  const before = ['setpriv', '--reuid', `${ID}`, '--regid', `${ID}`, '--clear-groups'];
  const us = ['the user of the tests', []] as const;
  return onlyForRoot('working as an ordinary user') ? [us] : [us, ['an ordinary user', before]];
}

/** Gives all of a folder to who works there. */
export function giveTo(before: readonly string[], folder: string): void {
  if (before.length > 0) execFileSync('chown', ['-R', `${ID}:${ID}`, folder]);
}

/** A folder that is gone at the end, whoever has written there. */
export async function openTemporary(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp('/var/tmp/ralph-test-');
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
