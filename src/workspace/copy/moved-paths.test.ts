import { expect, it } from 'vitest';
import { movedPaths } from './open-copy-sandbox.ts';

it.each([
  ['/home/me/app', '/copy'],
  ['Work in /home/me/app.', 'Work in /copy.'],
  ['cd /home/me/app && make', 'cd /copy && make'],
  ['/usr/bin:/home/me/app/node_modules/.bin:/home/me/app', '/usr/bin:/copy/node_modules/.bin:/copy'],
  ['{"/home/me/app":1}', '{"/copy":1}'],
  ['file:///home/me/app/x', 'file:///copy/x'],
  ['/home/me/app/.gitignore', '/copy/.gitignore'],
])('movedPaths replaces the path of the work tree by that of the copy: %s', (text, moved) => {
  expect(movedPaths('/home/me/app', '/copy')(text)).toBe(moved);
});

it.each([
  '/home/me/app2/x',
  '/home/me/app.ralph/x',
  '/home/me/app-old',
  '/mnt/home/me/app',
  '/home/me/app/.git',
  '/home/me/app/.git/ralph/runs/r/bin',
  '/home/me',
])('movedPaths leaves paths elsewhere, or in the repository, unchanged: %s', (text) => {
  expect(movedPaths('/home/me/app', '/copy')(text)).toBe(text);
});
