import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { wordsOf } from '../../agents/command-words.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import * as z from '../../kit/pure/shape.ts';
import { findExecutable } from '../../process/find-executable.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { SandboxSpec } from '../../settings/schema/sandbox-spec.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** The sandbox that a run hands to its children: they use exactly the same one, whatever the settings in their directory say. */
const WALL_VARIABLE = 'RALPH_WALL';

const HandedDown = z.strictObject({
  wall: SandboxSpec,
  /** The agent of the parent run. */
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

/** The variables that go into the environment of a child. */
export function sandboxVariables({ wall, agent }: RunSettings, { top, commonDir, writable }: Ground): Readonly<Record<string, string>> {
  const given: HandedDown = { wall, agent: agent.command, commonDir, writable: [top, ...writable] };
  return { [WALL_VARIABLE]: JSON.stringify(given) };
}

type Place = Pick<Workspace, 'cwd' | 'env' | 'git'>;

/**
 * The sandbox that a child inherits from its parent; null without one. A child works only in its parent's repository: a repository that the parent's agent made
 * could make us run the agent's code outside the sandbox.
 */
export async function inheritedSandbox({ agent }: RunSettings, place: Place): Promise<SandboxSpec | null> {
  const given = givenIn(place.env);
  if (given === null || given.wall.mode === 'guard') return given?.wall ?? null;
  if ((await realOf(place.git?.commonDir ?? null)) !== (await realOf(given.commonDir))) throw elsewhere(place.cwd);
  const isTrusted = agent.command === given.agent || (await isOperatorCommand(agent, place, given));
  return isTrusted ? given.wall : { ...given.wall, login: 'none' };
}

/** True for a known agent whose command the parent's agent could not have written. */
async function isOperatorCommand({ kind, command }: RunSettings['agent'], { cwd, env }: Place, { writable }: HandedDown): Promise<boolean> {
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
    throw new OperatorError('usage', `${WALL_VARIABLE} has an invalid value: only a run of Ralph sets it, for its children`, {
      hint: `Unset ${WALL_VARIABLE}.`,
      exitCode: 2,
      cause,
    });
  }
}

function elsewhere(cwd: string): OperatorError {
  return new OperatorError('sandbox-refused', `${cwd} is in another repository than the parent run`, {
    hint: 'A sandboxed agent can start children only in its own repository.',
    exitCode: 4,
  });
}
