import { fstatSync, lstatSync, readdirSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Our own stdout and stderr. */
const OUTPUTS = [1, 2] as const;

/**
 * The files below a folder into which the output of this process goes, relative to that folder: `ralph … > log`, `nohup ralph …`, and on Linux also
 * `ralph … | tee log`. They change with every line that we print, so they are nobody's work.
 */
export function ownOutputBelow(folder: string): readonly string[] {
  const files = OUTPUTS.flatMap((fd) => filesBehind(fd, folder));
  return [...new Set(files.map((file) => relative(folder, file)))].filter((path) => path !== '' && !path.startsWith('..'));
}

function filesBehind(fd: number, folder: string): readonly string[] {
  const found = orNull(() => fstatSync(fd));
  if (found?.isFile()) return fileOf(fd, found, folder);
  return found?.isFIFO() ? readersFiles(fd) : [];
}

/** Without /proc the file is looked for where the shell was, and in the folders above. */
function fileOf(fd: number, open: Stats, folder: string): readonly string[] {
  const named = linkOf(`/proc/self/fd/${fd}`);
  if (named !== null) return isSame(named, open) ? [named] : [];
  return foldersUpTo(folder).flatMap((above) =>
    namesIn(above)
      .map((name) => join(above, name))
      .filter((path) => isSame(path, open)),
  );
}

function isSame(path: string, { dev, ino }: Stats): boolean {
  const found = orNull(() => lstatSync(path));
  return found?.isFile() === true && found.dev === dev && found.ino === ino;
}

function foldersUpTo(folder: string): readonly string[] {
  const here = orNull(() => realpathSync(process.cwd())) ?? folder;
  const folders = [];
  for (let above = here; above.startsWith(folder); above = dirname(above)) folders.push(above);
  return folders;
}

let readers: readonly string[] | undefined;

/** The files that the readers of our pipe have open, such as those of `tee`. Found once: a pipeline is started as a whole. */
function readersFiles(fd: number): readonly string[] {
  readers ??= filesOfReaders(linkOf(`/proc/self/fd/${fd}`));
  return readers;
}

function filesOfReaders(pipe: string | null): readonly string[] {
  if (pipe === null) return [];
  const pids = namesIn('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  return pids.filter((pid) => linkOf(`/proc/${pid}/fd/0`) === pipe).flatMap((pid) => openFilesOf(pid));
}

function openFilesOf(pid: string): readonly string[] {
  const paths = namesIn(`/proc/${pid}/fd`).flatMap((fd) => linkOf(`/proc/${pid}/fd/${fd}`) ?? []);
  return paths.filter((path) => path.startsWith('/') && orNull(() => lstatSync(path))?.isFile());
}

const namesIn = (folder: string) => orNull(() => readdirSync(folder)) ?? [];
const linkOf = (path: string) => orNull(() => readlinkSync(path));

/** What cannot be seen, or is gone meanwhile, is not ours. */
function orNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
