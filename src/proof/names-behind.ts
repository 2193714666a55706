import { lstat, readlink } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';

/** What a path below `top` leads to, and the links on its way there, all seen from `top`. It does lead somewhere: loops were found before. */
export async function namesBehind(top: string, path: string): Promise<readonly string[]> {
  const links: string[] = [];
  const ahead = path.split('/');
  let at = top;
  for (let part = ahead.shift(); part !== undefined; part = ahead.shift()) {
    const next = join(at, part);
    const isLink = part !== '..' && (await lstat(next)).isSymbolicLink();
    if (!isLink) {
      at = next;
      continue;
    }
    links.push(relative(top, next));
    const target = await readlink(next);
    ahead.unshift(...target.split('/'));
    if (isAbsolute(target)) at = '/';
  }
  return [...links, relative(top, at)];
}
