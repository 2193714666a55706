import type { StreamParser } from '../../adapters/agents/agent-definition.ts';
import { definitions } from '../../adapters/agents/definitions.ts';
import { offersText } from '../../adapters/agents/offers-text.ts';
import { openPlainParser } from '../../adapters/agents/plain-text.ts';
import { timeZoneOf } from '../../adapters/agents/reset-time.ts';
import { RunSettings } from '../../model/run-settings.ts';
import { environment } from '../environment.ts';

/** Reads what an agent of this run has written, as the run itself does. An agent nobody knows here is read as plain text. */
export function openSpoolParser(agent: unknown, role: string): StreamParser {
  const said = RunSettings.shape.agent.safeParse(agent);
  const definition = said.success ? definitions.find(({ name }) => name === said.data.kind) : undefined;
  if (!said.success || definition === undefined) return openPlainParser();
  if (role === 'message' && offersText({ ...said.data, definition })) return openPlainParser();
  return definition.openParser({ nowMs: Date.now, timeZone: timeZoneOf(environment()) });
}
