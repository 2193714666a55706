import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completed, openPlanStage, type PlanStage } from '../../../test/contracts/plan-store-stage.ts';
import { taskOf } from '../../../test/support/plan-of.ts';

const FOLDER = 'docs/active/tickets';

const SEED = `---
id: S-001
title: Ralph Loop Integration
status: planned
priority: 1
complexity: M
depends_on: []
blocks: [S-002]   # and more to come
milestone: M6
assignee: null
created: 2026-01-27
updated: 2026-01-27
---

# S-001: Ralph Loop Integration

## Overview

The loop, and *all* of it.

\`\`\`sh
## no heading
\`\`\`

## Background

Not for the prompt.
`;

const NEXT = '---\nid: S-002\nstatus: pending\noutput: "docs/a.md, src/"\nverify: npm test\n---\n# After the loop\n\nAll there is to say.\n';

async function stage(files: Readonly<Record<string, string | Buffer>>): Promise<PlanStage> {
  const plan = await openPlanStage({ kind: 'tickets', path: FOLDER });
  for (const [name, content] of Object.entries(files)) plan.write(content, `${FOLDER}/${name}`);
  return plan;
}

describe('a folder of tickets', () => {
  it("is read with the seed's own front matter", async () => {
    await using plan = await stage({ 'S-001-loop.md': SEED, 'S-002.md': NEXT, 'README.md': '# About tickets\n', 'notes.txt': 'none' });
    const { plan: found, problems } = await plan.read();
    expect(problems).toEqual([]);
    expect(found?.tasks).toEqual([
      taskOf('S-001', {
        title: 'Ralph Loop Integration',
        description: 'The loop, and *all* of it.\n\n```sh\n## no heading\n```',
        complexity: 'M',
        milestones: ['M6'],
        path: `${FOLDER}/S-001-loop.md`,
      }),
      taskOf('S-002', {
        title: 'After the loop',
        description: 'All there is to say.',
        priority: 3,
        needs: ['S-001'],
        outputs: ['docs/a.md', 'src/'],
        verify: ['npm test'],
        path: `${FOLDER}/S-002.md`,
      }),
    ]);
    expect(found?.milestones).toEqual([{ id: 'M6', title: 'M6', path: null }]);
  });

  it.each(['\n', '\r\n'])('is edited line by line, and keeps line endings like %j', async (eol) => {
    const [one, other] = [SEED.replaceAll('\n', eol), NEXT.replaceAll('\n', eol)];
    await using plan = await stage({ 'a.md': one, 'b.md': other });
    await plan.edit(completed('S-001'));
    const expected = one
      .replace('status: planned', `status: complete${eol}completed_at: "2026-02-05T08:17:36.832Z"`)
      .replace('updated: 2026-01-27', 'updated: 2026-02-05');
    expect(plan.text(`${FOLDER}/a.md`)).toBe(expected);
    expect(plan.text(`${FOLDER}/b.md`)).toBe(other);
    await plan.edit({ kind: 'reword', id: 'S-001', fields: { description: 'Other\nwords.', title: 'New' } });
    expect(plan.text(`${FOLDER}/a.md`)).toBe(
      expected.replace(/The loop.*```(?=\s+## Background)/s, `Other${eol}words.`).replace('title: Ralph Loop Integration', 'title: New'),
    );
  });

  it('gets a file for a new task, under an unused name', async () => {
    await using plan = await stage({ 'a.md': SEED });
    await plan.edit({ kind: 'add', task: taskOf('T-1', { needs: ['S-001'], description: 'Words' }) }, { kind: 'add', task: taskOf('../a b') });
    expect(plan.text(`${FOLDER}/T-1.md`)).toBe(
      '---\nid: T-1\ntitle: Title of T-1\npriority: 1\nstatus: pending\ndepends_on: [S-001]\n---\n\n# T-1: Title of T-1\n\n## Description\n\nWords\n',
    );
    expect((await plan.read()).plan?.tasks.map(({ id, path }) => [id, path])).toContainEqual([
      '../a b',
      expect.stringMatching(/^docs\/active\/tickets\/-a-b~[0-9a-f]{12}\.md$/),
    ]);
  });

  it('does not overwrite an existing file', async () => {
    await using plan = await stage({ 'a.md': SEED, 'T-1.md': 'a note' });
    expect(await plan.edit({ kind: 'add', task: taskOf('T-1') })).toBe('changed');
    expect(plan.text(`${FOLDER}/T-1.md`)).toBe('a note');
  });

  it('reports problems by file and line, and reads the other tickets', async () => {
    await using plan = await stage({
      'a.md': '---\nid: a\nstatus: pending\n',
      'b.md': '---\r\nid: b\r\ndepends_on: [nobody, b]\r\nstory: [x\r\n---\r\n',
      'c.md': '---\nid: c\ndepends_on: nobody\nblocks: c\n---\n',
      'd.md': Buffer.from([0x2d, 0xff, 0xfe]),
      'e.md': '---\n---\ntext\n',
    });
    mkdirSync(join(plan.path, FOLDER, 'f.md'));
    symlinkSync('a.md', join(plan.path, FOLDER, 'g.md'));
    expect(await plan.problems()).toEqual([
      `${FOLDER}/a.md:1: its front matter does not end: a line --- is missing`,
      expect.stringMatching(`^${FOLDER}/b.md:[45]: `),
      `${FOLDER}/c.md:3: unknown task "nobody"`,
      `${FOLDER}/c.md:4: task c cannot depend on itself`,
      `${FOLDER}/d.md:: it is not UTF-8 text`,
      `${FOLDER}/e.md:2: it is empty`,
      `${FOLDER}/f.md:: it is a directory`,
      `${FOLDER}/g.md:: ${FOLDER}/g.md is a link: the plan must be in the work tree itself`,
    ]);
    expect((await plan.read()).plan?.tasks.map(({ id }) => id)).toEqual(['c']);
  });

  it('names both files of two tickets with the same id', async () => {
    await using plan = await stage({ 'a.md': NEXT, 'b.md': NEXT });
    expect(await plan.problems()).toEqual([`${FOLDER}/b.md:2: duplicate id "S-002": it is there already in ${FOLDER}/a.md, line 2`]);
  });

  it('does not exist without its folder, and is empty without tickets', async () => {
    await using plan = await stage({});
    expect(await plan.open().read()).toBeNull();
    mkdirSync(join(plan.path, FOLDER), { recursive: true });
    expect(await plan.read()).toMatchObject({ plan: { tasks: [] }, problems: [] });
  });

  it('is reported as a problem when its folder is a file or a link', async () => {
    await using file = await openPlanStage({ kind: 'tickets', path: 'tickets' }, 'no folder');
    expect(await file.read()).toMatchObject({ plan: null, problems: [{ message: 'it is not a folder' }] });
    await using link = await openPlanStage({ kind: 'tickets', path: 'link' });
    mkdirSync(join(link.path, 'real'));
    symlinkSync('real', join(link.path, 'link'));
    expect(await link.read()).toMatchObject({ plan: null, problems: [{ message: 'link is a link: the plan must be in the work tree itself' }] });
  });

  it('keeps everything that could become a ticket out of branches', async () => {
    await using plan = await openPlanStage({ kind: 'tickets', path: 'a[b]*' });
    expect(plan.open().pathspecs).toEqual([':(top,glob)a\\[b\\]\\*/*.md']);
  });
});
