import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { SettingsFile } from '../../src/model/settings-file.ts';
import { type SettingSchema, settingsSchema } from '../../src/wiring/config/settings-schema.ts';
import { splitMarkdown } from './markdown.ts';
import { projectRoot } from './project-files.ts';
import { FLAGS, settingsPage } from './settings-page.ts';

const PAGE = join(projectRoot, 'docs/reference/settings.md');

/** Every part of a schema, with the keys that lead there. */
function partsOf(schema: SettingSchema, path: string): readonly (readonly [path: string, part: SettingSchema])[] {
  const inside = Object.entries(schema.properties ?? {}).flatMap(([key, part]) => partsOf(part, `${path}.${key}`));
  const items = schema.items?.properties === undefined ? [] : partsOf(schema.items, path).slice(1);
  return [[path, schema], ...inside, ...items];
}

describe('the reference of the settings', () => {
  it('says what the schema says: `npm run generate` writes it', async () => {
    await expect(settingsPage()).toMatchFileSnapshot(PAGE);
  });

  it.each(partsOf(settingsSchema(), 'settings').slice(1))('has a sentence about %s', (_path, { description }) => {
    expect(description).toMatch(/^[A-Z].*\.`?$/);
    expect(description).not.toContain('|');
  });

  it('names flags there are', () => {
    const run = buildProgram().commands.find((command) => command.name() === 'run');
    const there = run?.options.map(({ flags }) => flags.replace(/ <.*/, ''));
    expect(there).toEqual(expect.arrayContaining(Object.values(FLAGS)));
  });

  it('shows settings that are accepted', () => {
    const examples = splitMarkdown(settingsPage()).blocks.filter(({ language }) => language === 'json');
    expect(examples).toHaveLength(2);
    for (const { lines } of examples) expect(SettingsFile.safeParse(JSON.parse(lines.map(({ text }) => text).join('\n')))).toMatchObject({ success: true });
  });
});
