import { findExecutable } from '../process/find-executable.ts';
import { deepMerge } from '../kit/pure/deep-merge.ts';
import { didYouMean } from '../kit/pure/did-you-mean.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { type CompleteSettings, DEFAULTS, type SettingsFile } from './schema/settings-file.ts';
import type { NamedAgent } from './agent-of.ts';

interface Where {
  readonly cwd: string;
  readonly path: string;
}

type Profile = NonNullable<SettingsFile['agent']>;

/** The profile every project has (seed 004). */
const BUILD = 'build';
/** Those it looks for where nobody names one, the first choice first. */
const FIRST_CHOICES = ['claude', 'codex', 'amp'] as const;

/** The agent of a loop, by the name of a profile, by `build`, or by its command; over it what was said for this loop alone. */
export async function chooseAgent(said: CompleteSettings, over: Profile, where: Where): Promise<NamedAgent> {
  const profile = (await profileOf(said, where)) ?? (await commandOf(said, where));
  const model = said.loop.model === undefined ? {} : { model: said.loop.model };
  return [profile, model, over].reduce<unknown>(deepMerge, DEFAULTS.agent) as NamedAgent;
}

async function profileOf({ agent, agents = {}, loop }: CompleteSettings, where: Where): Promise<Profile | null> {
  const profile = Object.hasOwn(agents, loop.agent) ? agents[loop.agent] : undefined;
  if (profile?.command !== undefined) return profile;
  if (profile === undefined && loop.agent !== BUILD) return null;
  const command = agent.command ?? (await firstOnPath(where));
  return [{ command }, profile ?? {}].reduce<unknown>(deepMerge, agent) as Profile;
}

async function firstOnPath(where: Where): Promise<string> {
  for (const name of FIRST_CHOICES) {
    if ((await findExecutable(name, where)) !== null) return name;
  }
  throw new OperatorError('agent-not-found', `no agent is named, and none of ${FIRST_CHOICES.join(', ')} was found on PATH`, {
    hint: 'Install one of them, or say which to run: --agent <command>, or {"agent": {"command": "…"}} in .ralph/settings.json.',
    exitCode: 4,
  });
}

/** The flags and the model of the project's own agent are for that one only. */
async function commandOf({ agent, agents = {}, loop }: CompleteSettings, where: Where): Promise<Profile> {
  if (loop.agent === agent.command) return agent;
  const near = didYouMean(loop.agent, [...Object.keys(agents), BUILD]);
  if (near !== null && (await findExecutable(loop.agent, where)) === null) {
    throw new OperatorError('agent-not-found', `there is no agent "${loop.agent}": neither in agents nor on PATH`, {
      hint: `Did you mean ${near}?`,
      exitCode: 4,
    });
  }
  return { command: loop.agent };
}
