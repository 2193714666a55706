import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '../../../src/settings/load-settings.ts';
import { openPlace } from '../../support/place.ts';
import { terminalIsMissing } from '../../support/terminal.ts';
import { projectRoot } from '../project-files.ts';
import { type Block, blocksOf } from './blocks.ts';
import { playDialog } from './dialog.ts';
import { whyNotShown } from './matches.ts';
import { type OpenScene, openScene } from './scene.ts';
import { scenes } from './scenes.ts';
import type { Printed } from './shell.ts';
import { commandsIn, type Step, transcriptOf } from './transcript.ts';

const noTerminal = terminalIsMissing();
const emptyRepository = { files: { 'readme.txt': 'hello\n' }, turns: [] };

/** Runs a page from top to bottom and returns the differences, with the line of each block. */
export async function playPage(markdown: string): Promise<readonly string[]> {
  const problems: string[] = [];
  let scene = await openScene(emptyRepository);
  let last: Printed = { code: 0, output: '' };
  try {
    for (const block of blocksOf(markdown)) {
      const next = await sceneOf(block);
      if (next !== null) {
        await scene[Symbol.asyncDispose]();
        scene = next;
      }
      const played = await playBlock(block, { scene, last });
      last = played.last;
      problems.push(...played.problems.map((problem) => `line ${block.line}: ${problem}`));
    }
    return problems;
  } finally {
    await scene[Symbol.asyncDispose]();
  }
}

/** The problems of a page that can be found without running it: each block is run somewhere, its scene exists, its settings are valid. */
export async function whyNotPlayable(markdown: string): Promise<readonly string[]> {
  const problems = await Promise.all(
    blocksOf(markdown).map(async ({ line, language, lines, marks }) => {
      if (marks['not run'] !== undefined) return [];
      if (marks['run by'] !== undefined) return whyNotThere(marks['run by']);
      if (marks.scene !== undefined && !(marks.scene in scenes)) return [`line ${line}: there is no scene "${marks.scene}" in scenes.ts`];
      if (language === 'json') return await whyNotSettings(textOf(lines));
      return ['sh', 'console'].includes(language) || marks.writes !== undefined ? [] : [`line ${line}: is neither run nor marked as not run`];
    }),
  );
  return problems.flat();
}

async function sceneOf({ marks }: Block): Promise<OpenScene | null> {
  if (marks.scene === undefined) return null;
  const scene = scenes[marks.scene];
  if (!scene) throw new Error(`there is no scene "${marks.scene}" in scenes.ts`);
  return await openScene(scene);
}

interface Now {
  readonly scene: OpenScene;
  /** The last output. */
  readonly last: Printed;
}

interface Played {
  readonly problems: readonly string[];
  readonly last: Printed;
}

async function playBlock(block: Block, now: Now): Promise<Played> {
  const { lines, marks } = block;
  if (marks['not run'] !== undefined) return { problems: [], last: now.last };
  if (marks['run by'] !== undefined) return { problems: whyNotThere(marks['run by']), last: now.last };
  if (marks.writes !== undefined) await now.scene.write(marks.writes, textOf(lines));
  const steps = stepsOf(block);
  return steps.length > 0 ? await typeAll(steps, now) : { problems: await whatIsWrong(block, now), last: now.last };
}

function stepsOf({ language, lines, marks }: Block): readonly Step[] {
  if (language === 'sh') return commandsIn(lines);
  return language === 'console' && marks.dialog === undefined ? transcriptOf(lines) : [];
}

/** For a block without commands. */
async function whatIsWrong({ language, lines, marks }: Block, { scene, last }: Now): Promise<readonly string[]> {
  if (marks.dialog !== undefined) return noTerminal ? [] : asList(await playDialog(lines, { ...scene, cwd: scene.path }));
  if (language === 'json') return await whyNotSettings(textOf(lines));
  if (language === 'console') return asList(whyNotShown(lines, last.output));
  return marks.writes === undefined ? ['is neither run nor marked as not run'] : [];
}

const whyNotThere = (test: string) => (existsSync(join(projectRoot, test)) ? [] : [`there is no ${test}`]);

const textOf = (lines: readonly string[]) => `${lines.join('\n')}\n`;

async function typeAll(steps: readonly Step[], { scene, last }: Now): Promise<Played> {
  const problems: string[] = [];
  let printed = last;
  for (const { command, shown, mayFail } of steps) {
    printed = await scene.type(command);
    const why = shown === null ? null : whyNotShown(shown, printed.output);
    if (why !== null) problems.push(`$ ${command}\n${why}`);
    if (printed.code !== 0 && !mayFail) problems.push(`$ ${command}\nended with code ${printed.code}:\n${printed.output}`);
  }
  return { problems, last: printed };
}

/** Parsed like the settings of a run. */
async function whyNotSettings(text: string): Promise<readonly string[]> {
  await using place = await openPlace();
  await place.write('.ralph/settings.json', text);
  return await loadSettings(place.path).then(
    () => [],
    (error: Error) => [error.message],
  );
}

const asList = (problem: string | null) => (problem === null ? [] : [problem]);
