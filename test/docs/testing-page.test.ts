import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { filesEndingWith, projectRoot } from './project-files.ts';

const page = readFileSync(join(projectRoot, 'test/README.md'), 'utf8');
const named = [...page.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = '']) => path);

it('the page about testing names only what is there', () => {
  expect(named.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});

it('it names every promise: each file of the acceptance tests, once', () => {
  const promises = filesEndingWith('.test.ts', join(projectRoot, 'test/acceptance'));
  expect(named.filter((path) => path.startsWith('test/acceptance/') && path.endsWith('.ts')).sort()).toEqual([...promises].sort());
});

it('what is deep is listed with its reason: `npm run generate` writes the list', async () => {
  const rows = filesEndingWith('.test.ts').flatMap((path) => {
    const text = readFileSync(join(projectRoot, path), 'utf8');
    const whole = path.endsWith('.deep.test.ts') ? [/^\/\/ Deep: (.+)\.$/m.exec(text)?.[1] ?? 'NO REASON IN ITS FIRST LINE'] : [];
    const parts = [...text.matchAll(/\bdeep(?:Rows|It)?\(\s*(['"`])(.+?)\1/g)].map(([, , why]) => why);
    return [...whole, ...parts].map((why) => `| \`${basename(path)}\` | ${why} |`);
  });
  const intro = 'What `npm test` leaves to `npm run test:all`, and why. Made from the tests by `npm run generate`.';
  const list = ['# Deep tests', '', intro, '', '| test | why it is deep |', '|---|---|', ...rows.sort(), ''].join('\n');
  await expect(list).toMatchFileSnapshot(join(projectRoot, 'test/deep-tests.md'));
});
