import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { capture } from '../../process/capture.ts';
import { SEATBELT } from './seatbelt-profile.ts';
import { syscallFilter } from './syscall-filter.ts';

/** What is missing, and what to do about it. */
export interface NoOsSandbox {
  readonly why: string;
  readonly hint: string;
}

export interface OsSandboxHere {
  /** Why the machine cannot have a wall of its operating system; null: it can. */
  readonly missing: NoOsSandbox | null;
  /** What the one it can have does not close, in words; null: nothing. */
  readonly lacks: string | null;
}

/** On Linux it is tried out just now. On macOS only the tool is looked for: that wall was never run. */
export async function osSandboxHere(filter = syscallFilter(process.arch)): Promise<OsSandboxHere> {
  if (process.platform === 'darwin')
    return { missing: existsSync(SEATBELT) ? null : { why: 'sandbox-exec is missing', hint: 'It is part of macOS; use docker instead.' }, lacks: null };
  if (process.platform !== 'linux')
    return { missing: { why: `there is no such wall on ${process.platform}`, hint: 'Use docker, or run Ralph in WSL.' }, lacks: null };
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

/** Never from PATH: what runs the wall must not come from a folder that agents can write, such as `node_modules/.bin`. */
const FOLDERS = [
  ...['/usr/bin', '/usr/local/bin', '/bin', '/run/wrappers/bin', '/run/current-system/sw/bin', '/run/current-system/profile/bin'],
  ...['/nix/var/nix/profiles/default/bin', '/home/linuxbrew/.linuxbrew/bin'],
];
const TRIED_WITHIN_MS = 20_000;

/** Namespaces of its own for everything there is, and no power at all. */
const ALONE = ['--unshare-user', '--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'];
/** To a root without any power the kernel's switches are still files of its own; one of them names a program that the host runs. */
const SWITCHES = ['/proc/sys', '/proc/sysrq-trigger'].flatMap((path) => ['--ro-bind-try', path, path]);
const ROOT = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...SWITCHES];

export type Bubblewrap =
  | {
      readonly kind: 'works';
      readonly file: string;
      /** All that comes before the mounts. */
      readonly args: readonly string[];
      /** What it reads at descriptor 3; null: no filter can be had here. */
      readonly filter: Uint8Array | null;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'forbidden'; readonly complaint: string };

/** Who cannot make another user namespace cannot even try to take mounts away. Older ones do not know the option; the mounts hold without it. */
const STRICT = ['--disable-userns'];
const FILTERED = ['--seccomp', '3'];

/** Really runs it: one that is installed may still be forbidden, as in most containers. The strongest that works is taken. */
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
