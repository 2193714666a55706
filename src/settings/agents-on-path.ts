import { findAgents, type Where } from '../agents/find-definition.ts';
import { environment } from '../sandbox/environment/environment.ts';
import { chosenAgent, noAgent, type SettingsHere } from './agent-of.ts';
import type { SettingsFile } from './schema/settings-file.ts';

/** Throws if no agent is named and none is found. */
export async function withAgentsOnPath(file: SettingsFile, over: SettingsFile, cwd: string): Promise<SettingsHere> {
  return chosenAgent(file, over) === null ? { ...file, agentsOnPath: await agentsOnPath({ cwd, path: environment()['PATH'] ?? '' }) } : file;
}

/** In order of preference, at least one. */
export async function agentsOnPath(where: Where): Promise<readonly [string, ...(readonly string[])]> {
  const [first, ...others] = await findAgents(where);
  if (first === undefined) throw noAgent();
  return [first, ...others];
}
