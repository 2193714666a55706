import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { capture } from '../../process/capture.ts';
import { SEATBELT } from './seatbelt-profile.ts';
import { syscallFilter } from './syscall-filter.ts';

/** What is missing, and what to do about it. */
export interface NoOsSandbox {
  readonly why: string;
  readonly hint: string;
}

export interface OsSandboxHere {
  /** Why this machine cannot have an os sandbox; null when it can. */
  readonly missing: NoOsSandbox | null;
  /** What the available sandbox does not protect, as a text; null when it protects everything. */
  readonly lacks: string | null;
}

/** On Linux, tries the sandbox out. On macOS, only looks for the tool: that sandbox was never run. */
export async function osSandboxHere(filter = syscallFilter(process.arch)): Promise<OsSandboxHere> {
  if (process.platform === 'darwin')
    return { missing: existsSync(SEATBELT) ? null : { why: 'sandbox-exec is missing', hint: 'It is part of macOS; use docker instead.' }, lacks: null };
  if (process.platform !== 'linux')
    return { missing: { why: `there is no os sandbox on ${process.platform}`, hint: 'Use docker, or run Ralph in WSL.' }, lacks: null };
  const found = await findBubblewrap(filter);
  return { missing: explainBubblewrap(found), lacks: found.kind === 'works' && found.filter === null ? NO_FILTER : null };
}

const NO_FILTER = `the kernel's keyring of your session stays open: there is no filter for its calls on this machine (${process.arch})`;

export function explainBubblewrap(found: Bubblewrap): NoOsSandbox | null {
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

/** Never from PATH: the program that makes the sandbox must not come from a folder that agents can write, such as `node_modules/.bin`. */
const FOLDERS = [
  ...['/usr/bin', '/usr/local/bin', '/bin', '/run/wrappers/bin', '/run/current-system/sw/bin', '/run/current-system/profile/bin'],
  ...['/nix/var/nix/profiles/default/bin', '/home/linuxbrew/.linuxbrew/bin'],
];
const TRIED_WITHIN_MS = 20_000;

/** Its own namespaces of every kind, and no capabilities. */
const ALONE = ['--unshare-user', '--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'];
/** A root without capabilities still owns the kernel's settings, which are files. One of them names a program that the host runs. */
const SWITCHES = ['/proc/sys', '/proc/sysrq-trigger'].flatMap((path) => ['--ro-bind-try', path, path]);
const ROOT = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...SWITCHES];

export type Bubblewrap =
  | {
      readonly kind: 'works';
      readonly file: string;
      /** All arguments before the mounts. */
      readonly args: readonly string[];
      /** The filter that bubblewrap reads from descriptor 3; null when there is none for this machine. */
      readonly filter: Uint8Array | null;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'forbidden'; readonly complaint: string };

/** A process that cannot create another user namespace cannot even try to undo mounts. Older versions lack the option; the mounts hold without it. */
const STRICT = ['--disable-userns'];
const FILTERED = ['--seccomp', '3'];

/** Runs bubblewrap to find out: an installed one may still be forbidden, as in most containers. Chooses the strongest options that work. */
export async function findBubblewrap(filter = syscallFilter(process.arch)): Promise<Bubblewrap> {
  const file = await firstExecutable();
  if (file === null) return { kind: 'missing' };
  const filters = filter === null ? [null] : [filter, null];
  let found: Bubblewrap = { kind: 'missing' };
  for (const each of filters.flatMap((one) => [
    { strict: STRICT, filter: one },
    { strict: [], filter: one },
  ])) {
    found = await tryOut(file, each.strict, each.filter);
    if (found.kind === 'works') return found;
  }
  return found;
}

async function tryOut(file: string, strict: readonly string[], filter: Uint8Array | null): Promise<Bubblewrap> {
  const args = [...ALONE, ...strict, ...(filter === null ? [] : FILTERED), ...ROOT];
  const request = { file, args: [...args, '--', '/bin/sh', '-c', ':'], cwd: '/', env: {}, timeoutMs: TRIED_WITHIN_MS };
  const { code, stderr } = await capture({ ...request, ...(filter !== null && { extraInput: filter }) });
  return code === 0 ? { kind: 'works', file, args, filter } : { kind: 'forbidden', complaint: stderr.trim().split('\n')[0] ?? '' };
}

async function firstExecutable(): Promise<string | null> {
  for (const folder of FOLDERS) {
    const file = `${folder}/bwrap`;
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}
