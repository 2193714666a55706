import type { StreamParser } from '../../agents/agent-definition.ts';
import { definitions } from '../../agents/definitions.ts';
import { offersText } from '../../agents/offers-text.ts';
import { openPlainParser } from '../../agents/plain-text.ts';
import { timeZoneOf } from '../../agents/reset-time.ts';
import { RunSettings } from '../../settings/schema/run-settings.ts';
import { environment } from '../../sandbox/environment/environment.ts';

/** Reads what an agent of this run has written, as the run itself does. An agent nobody knows here is read as plain text. */
export function openSpoolParser(agent: unknown, role: string): StreamParser {
  const said = RunSettings.shape.agent.safeParse(agent);
  const definition = said.success ? definitions.find(({ name }) => name === said.data.kind) : undefined;
  if (!said.success || definition === undefined) return openPlainParser();
  if (role === 'message' && offersText({ ...said.data, definition })) return openPlainParser();
  return definition.openParser({ nowMs: Date.now, timeZone: timeZoneOf(environment()) });
}
