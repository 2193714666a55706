import { readFileSync } from 'node:fs';
import { packagePath } from '../../kit/files/package-root.ts';
import type { Asset } from './app.ts';

/** The files of the page, made by the build. A list, so that no name from outside becomes a path. */
const TYPES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'app.js': 'text/javascript; charset=utf-8',
  'graph-worker.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

export function readAsset(name: string): Asset | null {
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  return type === undefined ? null : { content: readFileSync(packagePath('dist', 'web', name), 'utf8'), type };
}
