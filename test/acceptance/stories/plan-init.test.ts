import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGitPlace, openPlace, type Place } from '../../support/place.ts';
import { refused } from '../../support/refused.ts';

const read = (place: Place, name: string) => readFileSync(join(place.path, name), 'utf8');

describe.concurrent('ralph plan init', () => {
  it('creates a plan to fill in, and names the next step', async () => {
    await using place = await openGitPlace();
    const { code, stdout, stderr } = await place.ralph(['plan', 'init', '--name', 'Task Status']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`Made a plan for Task Status: ralph/prompt.md, ralph/progress.txt, ralph/prd.md, ralph/tasks.json
Next:
  1. Write ralph/prd.md and the stories in ralph/tasks.json, or let your agent ask you: ralph plan new
  2. ralph plan check
  3. git add ralph .gitignore && git commit -m "plan: Task Status"
  4. ralph work --plan ralph/tasks.json --create-branch
It works on ralph/Task-Status, which is made if it is missing.
`);
    const all = ['prd.md', 'tasks.json', 'progress.txt', 'prompt.md'].map((name) => read(place, `ralph/${name}`)).join('');
    expect(all).not.toMatch(/\{\{/);
    expect(read(place, 'ralph/progress.txt')).toMatch(/Started: \d{4}-\d\d-\d\d\nPRD: Task Status\n/);
    expect(read(place, '.gitignore')).toBe('.ralph-active\n');
  });

  it('refuses to replace a plan with exit code 1, unless --force is given', async () => {
    await using place = await openPlace();
    await place.ralph(['plan', 'init']);
    expect(await refused(place, ['plan', 'init'])).toEqual({
      code: 1,
      error: 'there is already a plan: ralph/tasks.json',
      hint: 'Archive it with ralph plan archive, or replace it with --force.',
    });
    const { code, stdout } = await place.ralph(['plan', 'init', '--force', '--json', '--name', 'other']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ project: place.path, name: 'other', branch: 'ralph/other', kept: [], marker: 'there' });
    expect(read(place, '.gitignore')).toBe('.ralph-active\n');
  });

  it('creates a plan in another project directory', async () => {
    await using place = await openPlace();
    await place.write("my 'shop'/readme.txt", '');
    const { code, stdout } = await place.ralph(['plan', 'init', '--project-dir', "my 'shop'"]);
    expect(code).toBe(0);
    expect(stdout).toContain("  1. cd 'my '\\''shop'\\'''\n");
    expect(JSON.parse(read(place, "my 'shop'/ralph/tasks.json"))).toMatchObject({ project: "my 'shop'", branchName: 'ralph/my--shop' });
  });

  it('refuses a missing project directory', async () => {
    await using place = await openPlace();
    expect(await refused(place, ['plan', 'init', '-d', 'nowhere'])).toMatchObject({ code: 2, error: expect.stringContaining('nowhere') });
  });

  it.each([[['plan']], [['plan', 'innit']]])('is one of the words of ralph plan: %j', async (args) => {
    await using place = await openPlace();
    expect(await refused(place, args)).toMatchObject({ code: 2, hint: 'ralph plan --help lists the subcommands.' });
  });
});
