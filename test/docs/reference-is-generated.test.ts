import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildProgram, loadCommands } from '../../src/cli/program.ts';
import { readRalphYaml } from '../../src/settings/load-loop-settings.ts';
import { LOOP_DEFAULTS } from '../../src/settings/schema/loop-settings.ts';
import { SettingsFile } from '../../src/settings/schema/settings-file.ts';
import { type SettingSchema, settingsSchema } from '../../src/settings/settings-schema.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';
import { commandsPage } from './commands-page.ts';
import { splitMarkdown } from './markdown.ts';
import { projectRoot } from './project-files.ts';
import { FLAGS, SEED_EXAMPLE, settingsPage } from './settings-page.ts';

const commands = await loadCommands();

const PAGE = join(projectRoot, 'docs/reference/settings.md');

/** Every part of a schema, with the keys that lead there. */
function partsOf(schema: SettingSchema, path: string): readonly (readonly [path: string, part: SettingSchema])[] {
  const inside = Object.entries(schema.properties ?? {}).flatMap(([key, part]) => partsOf(part, `${path}.${key}`));
  const values = schema.items ?? (schema.additionalProperties || undefined);
  const items = values?.properties === undefined ? [] : partsOf(values, path).slice(1);
  return [[path, schema], ...inside, ...items];
}

describe('the reference of the commands', () => {
  it('matches the program: `npm run generate` writes it', async () => {
    await expect(commandsPage(buildProgram(commands))).toMatchFileSnapshot(join(projectRoot, 'docs/reference/commands.md'));
  });
});

describe('the reference of the settings', () => {
  it('matches the schema: `npm run generate` writes it', async () => {
    await expect(settingsPage()).toMatchFileSnapshot(PAGE);
  });

  it.each(partsOf(settingsSchema(), 'settings').slice(1))('has a sentence about %s', (_path, { description }) => {
    expect(description).toMatch(/^[A-Z].*\.`?$/);
    expect(description).not.toContain('|');
  });

  it('names only existing flags', () => {
    for (const [name, isItsOwn] of [
      ['run', (key: string) => !key.startsWith('loop.') && key !== 'labels'],
      ['work', (key: string) => key === 'labels'],
      ['loop', (key: string) => key.startsWith('loop.')],
    ] as const) {
      const command = buildProgram(commands).commands.find((each) => each.name() === name);
      const there = command?.options.map(({ flags }) => flags.replace(/ [<[].*/, ''));
      const named = Object.entries(FLAGS).filter(([key]) => isItsOwn(key));
      expect(there).toEqual(expect.arrayContaining(named.map(([, flag]) => flag)));
    }
  });

  it('names a flag for every setting of a loop', () => {
    const loop = Object.keys(settingsSchema().properties?.['loop']?.properties ?? {});
    expect(Object.keys(FLAGS)).toEqual(expect.arrayContaining(loop.map((key) => `loop.${key}`)));
  });

  it('shows valid settings', () => {
    const examples = splitMarkdown(settingsPage()).blocks.filter(({ language }) => language === 'json');
    expect(examples).toHaveLength(3);
    for (const { lines } of examples) expect(SettingsFile.safeParse(JSON.parse(lines.map(({ text }) => text).join('\n')))).toMatchObject({ success: true });
  });

  it('shows a ralph.yaml with the defaults', async () => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, 'ralph.yaml'), SEED_EXAMPLE);
    const { maxCost, maxTime, ...said } = (await readRalphYaml(folder.path, 'ralph.yaml'))?.loop ?? {};
    expect([maxCost, maxTime]).toEqual([null, null]);
    expect(LOOP_DEFAULTS).toMatchObject(said);
  });
});
