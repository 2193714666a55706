import { describe, expect, it } from 'vitest';
import { playPage, whyNotPlayable } from './play-page.ts';

const page = (...lines: readonly string[]) => lines.join('\n');

describe('playing a page', () => {
  it('types one command after the other into the same shell', async () => {
    const markdown = page('```sh', 'mkdir folder', 'cd folder', '```', '```console', '$ basename "$PWD"', 'folder', '$ exit 3', '$ echo $?', '3', '```');
    expect(await playPage(markdown)).toEqual([]);
  });

  it('writes the files that are marked as such', async () => {
    const markdown = page('<!-- writes: a/b.txt -->', '```text', 'hello', '```', '```sh', 'cat a/b.txt', '```', 'prints', '```console', 'hello', '```');
    expect(await playPage(markdown)).toEqual([]);
  });

  it.each([
    ['a block that cannot be run', page('```python', 'print()', '```'), 'line 2: is neither run nor marked as not run'],
    ['a command that fails', page('```sh', 'exit 7', '```'), 'line 2: $ exit 7\nended with code 7'],
    ['other output than is shown', page('```console', '$ echo a', 'b', '```'), 'line 2: $ echo a\nnot printed here: b'],
    ['settings that do not load', page('```json', '{ "agnet": {} }', '```'), 'line 2: '],
    ['a missing test', page('<!-- run by: test/gone.test.ts -->', '```sh', 'x', '```'), 'line 3: there is no test/gone.test.ts'],
  ])('reports %s', async (_what, markdown, problem) => {
    const problems = await playPage(markdown);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  it.each([
    ['a block that cannot be run', page('```python', 'print()', '```'), 'line 2: is neither run nor marked as not run'],
    ['an unknown scene', page('<!-- scene: gone -->', '```sh', 'true', '```'), 'line 3: there is no scene "gone"'],
    ['settings that do not load', page('```json', '{ "agnet": {} }', '```'), 'agnet'],
  ])('reports %s without typing anything', async (_what, markdown, problem) => {
    expect(await whyNotPlayable(markdown)).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    ['an unknown mark', page('<!-- wirtes: a -->', '```text', 'a', '```')],
    ['an unknown scene', page('<!-- scene: gone -->', '```sh', 'true', '```')],
  ])('refuses %s', async (_what, markdown) => {
    await expect(playPage(markdown)).rejects.toThrow();
  });
});
