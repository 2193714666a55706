import { parseBytes } from '../kit/pure/byte-size.ts';
import { parseDuration } from '../kit/pure/duration.ts';
import type { RunLimits } from './schema/run-settings.ts';
import type { CompleteSettings } from './schema/settings-file.ts';

/** How often an attempt that came to nothing is given another try in the same iteration. */
const REPEATS = 3;

export function limitsOf(said: CompleteSettings): RunLimits {
  return {
    idleMs: ms(said.idleTimeout),
    iterationMs: ms(said.iterationTimeout),
    outputBytes: parseBytes(said.maxAgentOutput) ?? 0,
    lingerMs: ms(said.lingerTimeout),
    limitWaitMs: ms(said.maxLimitWait),
    repeats: REPEATS,
    failurePauseMs: ms(said.failurePause),
    graceMs: { sigint: ms(said.shutdownGrace.sigint), sigterm: ms(said.shutdownGrace.sigterm) },
  };
}

/** The schema has let only durations through. */
export const ms = (value: string | number) => parseDuration(value) ?? 0;
