import { access, constants } from 'node:fs/promises';
import { capture } from '../../process/capture.ts';

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
  | { readonly kind: 'works'; readonly file: string /** All that comes before the mounts. */; readonly args: readonly string[] }
  | { readonly kind: 'missing' }
  | { readonly kind: 'forbidden'; readonly complaint: string };

/** Really runs it: one that is installed may still be forbidden, as in most containers. */
export async function findBubblewrap(): Promise<Bubblewrap> {
  const file = await firstExecutable();
  if (file === null) return { kind: 'missing' };
  // Who cannot make another user namespace cannot even try to take mounts away. Older ones do not know the option; the mounts hold without it.
  const strict = await tryOut(file, [...ALONE, '--disable-userns', ...ROOT]);
  if (strict.works) return { kind: 'works', file, args: strict.args };
  const plain = await tryOut(file, [...ALONE, ...ROOT]);
  return plain.works ? { kind: 'works', file, args: plain.args } : { kind: 'forbidden', complaint: plain.complaint };
}

async function tryOut(
  file: string,
  args: readonly string[],
): Promise<{ readonly works: boolean; readonly args: readonly string[]; readonly complaint: string }> {
  const { code, stderr } = await capture({ file, args: [...args, '--', '/bin/sh', '-c', ':'], cwd: '/', env: {}, timeoutMs: TRIED_WITHIN_MS });
  return { works: code === 0, args, complaint: stderr.trim().split('\n')[0] ?? '' };
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
