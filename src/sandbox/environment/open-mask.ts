import { maskEvent } from '../../journal/mask-event.ts';
import { openToldMask } from '../../journal/mask-told-events.ts';
import { openMaskStream, type StreamMask } from '../../process/mask-stream.ts';
import { type HideSecrets, openLinesHider, openSecretHider } from '../../kit/pure/hide-secrets.ts';
import type { AgentEvent } from '../../journal/words/agent-event.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { secretsIn } from './secret-values.ts';

/** Takes secrets out of everything a run writes down and shows. */
export interface Mask {
  readonly hide: HideSecrets;
  /** For the log of a command. */
  readonly openStream: () => StreamMask;
  /** For the ledger. */
  readonly event: (body: EventBody) => EventBody;
  /** For what the agent of an attempt says while it works. */
  readonly told: (attempt: string, event: AgentEvent) => AgentEvent;
}

/** Attempts whose words are followed at a time; there are never so many lanes. */
const MOST_ATTEMPTS = 256;

/** `env`: all variables that anybody in the run may know, those of the operator's own too. */
export function openMask(env: Readonly<Record<string, string>>): Mask {
  const secrets = secretsIn(env);
  const hide = openSecretHider(secrets);
  const hideLines = openLinesHider(secrets);
  const attempts = new Map<string, (event: AgentEvent) => AgentEvent>();
  return {
    hide,
    openStream: () => openMaskStream(hideLines),
    event: (body) => maskEvent(hide, body),
    told(attempt, event) {
      const mask = attempts.get(attempt) ?? openToldMask(hide);
      if (!attempts.has(attempt)) attempts.set(attempt, mask);
      const [oldest] = attempts.keys();
      if (attempts.size > MOST_ATTEMPTS && oldest !== undefined) attempts.delete(oldest);
      return mask(event);
    },
  };
}
