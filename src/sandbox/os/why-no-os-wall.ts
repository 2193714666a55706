import { existsSync } from 'node:fs';
import { type Bubblewrap, findBubblewrap } from './find-bubblewrap.ts';
import { SEATBELT } from './seatbelt-profile.ts';

/** What is missing, and what to do about it. */
export interface NoOsWall {
  readonly why: string;
  readonly hint: string;
}

/** Why the machine cannot have a wall of its operating system; null: it can. On Linux it was tried out just now. On macOS only the tool is looked for: that wall was never run. */
export async function whyNoOsWall(_env: Readonly<Record<string, string>>): Promise<NoOsWall | null> {
  if (process.platform === 'darwin') return existsSync(SEATBELT) ? null : { why: 'sandbox-exec is missing', hint: 'It is part of macOS; use docker instead.' };
  if (process.platform !== 'linux') return { why: `there is no such wall on ${process.platform}`, hint: 'Use docker, or run Ralph in WSL.' };
  return explainBubblewrap(await findBubblewrap());
}

export function explainBubblewrap(found: Bubblewrap): NoOsWall | null {
  switch (found.kind) {
    case 'works':
      return null;
    case 'missing':
      return { why: 'bubblewrap is not installed', hint: 'Install the package bubblewrap, on Debian and Ubuntu by: sudo apt-get install bubblewrap' };
    case 'forbidden':
      return { why: `bubblewrap cannot make a sandbox here (${found.complaint || 'it says nothing'})`, hint: hintFor(found.complaint) };
  }
}

function hintFor(complaint: string): string {
  if (/uid map|loopback|RTM_NEWADDR/i.test(complaint)) {
    return 'Ubuntu 24.04 and later forbid user namespaces to programs without an AppArmor profile: install the package apparmor-profiles and load the profile bwrap-userns-restrict, or set kernel.apparmor_restrict_unprivileged_userns=0.';
  }
  if (/No permissions to create|user namespace|Creating new namespace/i.test(complaint)) {
    return 'User namespaces are forbidden: set kernel.unprivileged_userns_clone=1 and user.max_user_namespaces above 0, or in a container allow them (a container often needs --security-opt seccomp=unconfined).';
  }
  if (/proc/i.test(complaint)) return 'The container hides parts of /proc: start it with --security-opt systempaths=unconfined.';
  return 'Try it by hand: bwrap --unshare-all --ro-bind / / --dev /dev --proc /proc true';
}
