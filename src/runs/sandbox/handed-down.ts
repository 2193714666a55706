import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { wordsOf } from '../../agents/command-words.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import * as z from '../../kit/pure/shape.ts';
import { findExecutable } from '../../process/find-executable.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { WallSpec } from '../../settings/schema/wall.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** What a run gives to those it starts: they are behind the very same wall, whatever the settings say where they work. */
const WALL_VARIABLE = 'RALPH_WALL';

const HandedDown = z.strictObject({
  wall: WallSpec,
  /** The agent of the run that gives it. */
  agent: z.string(),
  commonDir: z.string().nullable(),
  /** Where that agent may write. */
  writable: z.array(z.string()),
});
type HandedDown = z.infer<typeof HandedDown>;

interface Ground {
  readonly top: string;
  readonly commonDir: string | null;
  readonly writable: readonly string[];
}

/** For the environment of a child. */
export function handedDown({ wall, agent }: RunSettings, { top, commonDir, writable }: Ground): Readonly<Record<string, string>> {
  const given: HandedDown = { wall, agent: agent.command, commonDir, writable: [top, ...writable] };
  return { [WALL_VARIABLE]: JSON.stringify(given) };
}

type Place = Pick<Workspace, 'cwd' | 'env' | 'git'>;

/**
 * The wall a child has from its parent; null: nobody has given one. A child works in its parent's repository and in no other: one that its agent has made would have
 * us run what that agent wrote, outside of the wall.
 */
export async function inheritedWall({ agent }: RunSettings, place: Place): Promise<WallSpec | null> {
  const given = givenIn(place.env);
  if (given === null || given.wall.mode === 'guard') return given?.wall ?? null;
  if ((await realOf(place.git?.commonDir ?? null)) !== (await realOf(given.commonDir))) throw elsewhere(place.cwd);
  const isTrusted = agent.command === given.agent || (await isOfTheOperator(agent, place, given));
  return isTrusted ? given.wall : { ...given.wall, login: 'none' };
}

/** One that we know, and that no agent could have written. */
async function isOfTheOperator({ kind, command }: RunSettings['agent'], { cwd, env }: Place, { writable }: HandedDown): Promise<boolean> {
  if (kind === 'command' || kind === 'stream-json') return false;
  const [word = ''] = wordsOf(command);
  const found = await findExecutable(word, { path: env['PATH'] ?? '', cwd });
  const file = found === null ? null : await realOf(resolve(cwd, found));
  if (file === null) return false;
  const roots = await Promise.all(writable.map(realOf));
  return !roots.some((root) => root !== null && (file === root || file.startsWith(`${root}${sep}`)));
}

async function realOf(path: string | null): Promise<string | null> {
  return path === null ? null : await realpath(path).catch(() => path);
}

function givenIn(env: Place['env']): HandedDown | null {
  const text = env[WALL_VARIABLE];
  if (text === undefined || text === '') return null;
  try {
    return HandedDown.parse(JSON.parse(text));
  } catch (cause) {
    throw new OperatorError('usage', `${WALL_VARIABLE} is not what a run of Ralph gives to those it starts`, {
      hint: `Unset ${WALL_VARIABLE}.`,
      exitCode: 2,
      cause,
    });
  }
}

function elsewhere(cwd: string): OperatorError {
  return new OperatorError('sandbox-refused', `${cwd} is in another repository than the run that asks for this one`, {
    hint: 'An agent behind a sandbox has children only in its own.',
    exitCode: 4,
  });
}
