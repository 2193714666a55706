import { HOLE, MADE, SECRET } from './shell/holes.ts';

/** What a relative path is relative to. */
export interface PathPlace {
  readonly cwd: string;
  readonly home: string | null;
}

/** Makes a path absolute, without `.`, `..` and empty names. A path that begins with a hole has an unknown beginning and keeps the hole. */
export function absolute(path: string, { cwd, home }: PathPlace): string {
  if (path === '~' || path.startsWith('~/')) return normal(`${home ?? '/root'}${path.slice(1)}`);
  if (path.startsWith('/')) return normal(path);
  if (startsUnknown(path)) return path;
  return startsUnknown(cwd) ? `${cwd}/${path}` : normal(`${cwd}/${path}`);
}

export const startsUnknown = (path: string): boolean => path.startsWith(HOLE) || path.startsWith(MADE) || path.startsWith(SECRET);

function normal(path: string): string {
  const kept: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') kept.pop();
    else if (name !== '' && name !== '.') kept.push(name);
  }
  return `/${kept.join('/')}`;
}

export const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export function folderOf(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut <= 0 ? '/' : path.slice(0, cut);
}
