import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { anchorsOf, linksOf } from './markdown.ts';

const elsewhere = /^(?:https?:|mailto:)/;
const ours = /`((?:src|test|scripts|lint|bench)\/[\w./-]*\w)`/g;
const homes = /(?:\/home\/|\/Users\/|\/root\/|[A-Za-z]:\\Users\\)\w*/g;

/** Every link of a page that leads nowhere, every file of ours it names that is not there, and every path that exists only on somebody's machine. Nothing is fetched. */
export function brokenLinksOf(file: string, root: string): readonly string[] {
  const markdown = readFileSync(join(root, file), 'utf8');
  const links = linksOf(markdown).filter((link) => !elsewhere.test(link));
  return [...links.flatMap((link) => whatIsWrong(link, file, root) ?? []), ...missingFilesIn(markdown, root), ...machinePathsIn(markdown, root)];
}

function whatIsWrong(link: string, file: string, root: string): string | null {
  if (link.startsWith('/') || link.startsWith('file:')) return `${link}: not a relative link`;
  const [path = '', anchor] = decodeURIComponent(link).split('#', 2);
  const target = path === '' ? join(root, file) : join(root, dirname(file), path);
  if (relative(root, target).startsWith('..')) return `${link}: leads out of the project`;
  if (!existsSync(target)) return `${link}: no such file`;
  if (anchor === undefined || !target.endsWith('.md')) return null;
  return anchorsOf(readFileSync(target, 'utf8')).has(anchor) ? null : `${link}: no such heading`;
}

function missingFilesIn(markdown: string, root: string): readonly string[] {
  const named = [...markdown.matchAll(ours)].map(([, path = '']) => path);
  return named.filter((path) => !existsSync(join(root, path))).map((path) => `${path}: no such file`);
}

function machinePathsIn(markdown: string, root: string): readonly string[] {
  const here = root.split('/').length > 2 && markdown.includes(`${root}/`) ? [root] : [];
  return [...(markdown.match(homes) ?? []), ...here].map((path) => `${path}: a path of one machine`);
}
