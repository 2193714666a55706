import { join } from 'node:path';
import { buildPrompt } from '../../core/prompt.ts';
import { linkSignal } from '../../kit/async/link-signal.ts';
import { makeFoldersBelow } from '../../kit/files/make-folder.ts';
import { readText } from '../../kit/files/read-text.ts';
import type { ProcessEnding } from '../../kit/process/process-ending.ts';
import { attemptId, type RunAgent } from '../../model/effect.ts';
import { attemptEnded, promptUnreadable } from '../attempt-ended.ts';
import { attemptFolder, attemptMarker } from '../attempt-place.ts';
import type { EffectHandler, Report } from '../effect-handler.ts';
import { type Hearing, openHearing } from '../hearing.ts';
import type { AgentListener, AgentRequest } from '../ports/agent.ts';
import type { Ports } from '../ports/ports.ts';
import { stopIfTheDiskIsToBlame } from '../room.ts';

const MOST_LIMITS_TOLD = 10;

/** One agent process with fresh context, from its prompt to the last thing it left running. */
export const runAgent: EffectHandler<RunAgent> = {
  async perform(effect, ports, report, signal) {
    const startedMs = ports.clock.nowMs();
    const base = await readBase(ports.settings.prompt);
    if (typeof base !== 'string') return promptUnreadable(effect, base.path, base.reason);
    const request = requestOf(effect, ports, promptOf(effect, base, ports));
    const hearing = openHearing(request.prompt, ports);
    using link = linkSignal(signal);
    const ears = listener(effect, hearing, { ports, report, giveUp: (why) => link.abort(why) });
    const ending = (await prepare(request, ports)) ?? (await ports.agent.run(request, ears, link.signal));
    await stopIfTheDiskIsToBlame(ending, ports.place.runFolder);
    return attemptEnded(effect, ending, hearing, ports.clock.nowMs() - startedMs);
  },

  /** The agent may have come to its end before we wrote it down: its spool tells, and what it spent is not forgotten. */
  async find(effect, ports) {
    const folder = attemptFolder(ports.place, effect);
    const prompt = await readText(join(folder, 'prompt.md'), 'refuse pipes');
    if (prompt.kind === 'no-text') return null;
    const hearing = openHearing(prompt.text, ports);
    const replayed = await ports.agent.replay(requestOf(effect, ports, prompt.text), (event) => hearing.hear(event));
    return replayed ? attemptEnded(effect, { kind: 'lost' }, hearing, 0) : null;
  },
};

/** The prompt file is read again for every attempt, so that an operator can steer a running loop by editing it. */
async function readBase(prompt: Ports['settings']['prompt']): Promise<string | { readonly path: string; readonly reason: string }> {
  if (prompt.from === 'text') return prompt.text;
  const read = await readText(prompt.path, 'refuse pipes');
  return read.kind === 'text' ? read.text : { path: prompt.path, reason: read.reason };
}

function promptOf(effect: RunAgent, base: string, { settings }: Ports): string {
  return buildPrompt({ base, failures: effect.failures, iteration: effect.iteration, maximum: effect.maximum, includeCount: settings.includeIterationCount });
}

/** Null when all is ready. Only below the run's folder: where an agent has removed that, it is not made again. */
async function prepare({ folder }: AgentRequest, { place }: Ports): Promise<ProcessEnding | null> {
  try {
    await makeFoldersBelow(place.runFolder, folder, 0o700);
    return null;
  } catch (error) {
    return { kind: 'never-started', reason: 'other', message: `the attempt's folder cannot be made: ${(error as Error).message}` };
  }
}

function requestOf(effect: RunAgent, { place, settings: { limits } }: Ports, prompt: string): AgentRequest {
  return {
    prompt,
    marker: attemptMarker(place, effect),
    cwd: place.workspace,
    folder: attemptFolder(place, effect),
    idleMs: limits.idleMs,
    deadlineMs: limits.iterationMs,
    maxOutputBytes: limits.outputBytes,
    lingerMs: limits.lingerMs,
  };
}

interface Ears {
  readonly ports: Ports;
  readonly report: Report;
  readonly giveUp: (why: string) => void;
}

function listener(effect: RunAgent, hearing: Hearing, { ports, report, giveUp }: Ears): AgentListener {
  const attempt = attemptId(effect);
  const tellLimit = limitTeller(attempt, report);
  return {
    onSpawned: ({ host, bootId, pid, startTime }) => {
      void report({ type: 'attempt.spawned', attempt, host, boot_id: bootId, pid, start_time: startTime });
    },
    onEvent(event) {
      hearing.hear(event);
      ports.show(attempt, event);
      if (event.type === 'rate_limit' && event.status === 'rejected') tellLimit(event.resetsAtMs ?? null, event.window ?? null);
      if (hearing.isHopeless()) giveUp('not authorised');
    },
  };
}

/** Only what is new, and not without end: an agent may repeat its limit in every line, and the last one is in the fact anyway. */
function limitTeller(attempt: string, report: Report): (resetsAtMs: number | null, window: string | null) => void {
  let last = '';
  let told = 0;
  return (resetsAtMs, window) => {
    const limit = `${resetsAtMs} ${window}`;
    if (limit === last || told === MOST_LIMITS_TOLD) return;
    last = limit;
    told += 1;
    void report({ type: 'limit.seen', attempt, resets_at: resetsAtMs, window });
  };
}
