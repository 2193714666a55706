import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPrompt } from '../../core/prompt.ts';
import { linkSignal } from '../../kit/async/link-signal.ts';
import { attemptId, type RunAgent } from '../../model/effect.ts';
import { attemptEnded, promptUnreadable } from '../attempt-ended.ts';
import { attemptFolder, attemptMarker } from '../attempt-place.ts';
import type { EffectHandler, Report } from '../effect-handler.ts';
import { type Hearing, openHearing } from '../hearing.ts';
import type { AgentListener, AgentRequest } from '../ports/agent.ts';
import type { Ports } from '../ports/ports.ts';
import { stopIfTheDiskIsToBlame } from '../room.ts';

/** One agent process with fresh context, from its prompt to the last thing it left running. */
export const runAgent: EffectHandler<RunAgent> = {
  async perform(effect, ports, report, signal) {
    const startedMs = ports.clock.nowMs();
    const base = await readBase(ports.settings.prompt);
    if (typeof base !== 'string') return promptUnreadable(effect, base.path, base.reason);
    const request = await prepare(effect, ports, promptOf(effect, base, ports));
    const hearing = openHearing(request.prompt, ports);
    using link = linkSignal(signal);
    const ending = await ports.agent.run(request, listener(effect, hearing, { ports, report, giveUp: (why) => link.abort(why) }), link.signal);
    await stopIfTheDiskIsToBlame(ending, request.folder);
    return attemptEnded(effect, ending, hearing, ports.clock.nowMs() - startedMs);
  },

  /** The agent may have come to its end before we wrote it down: its spool tells, and what it spent is not forgotten. */
  async find(effect, ports) {
    const folder = attemptFolder(ports.place, effect);
    const prompt = await readFile(join(folder, 'prompt.md'), 'utf8').catch(() => null);
    if (prompt === null) return null;
    const hearing = openHearing(prompt, ports);
    const replayed = await ports.agent.replay(requestOf(effect, ports, prompt), (event) => hearing.hear(event));
    return replayed ? attemptEnded(effect, { kind: 'lost' }, hearing, 0) : null;
  },
};

/** The prompt file is read again for every attempt, so that an operator can steer a running loop by editing it. */
async function readBase(prompt: Ports['settings']['prompt']): Promise<string | { readonly path: string; readonly reason: string }> {
  if (prompt.from === 'text') return prompt.text;
  try {
    return await readFile(prompt.path, 'utf8');
  } catch (error) {
    return { path: prompt.path, reason: (error as NodeJS.ErrnoException).code ?? String(error) };
  }
}

function promptOf(effect: RunAgent, base: string, { settings }: Ports): string {
  return buildPrompt({ base, failures: effect.failures, iteration: effect.iteration, maximum: effect.maximum, includeCount: settings.includeIterationCount });
}

async function prepare(effect: RunAgent, ports: Ports, prompt: string): Promise<AgentRequest> {
  await mkdir(attemptFolder(ports.place, effect), { recursive: true, mode: 0o700 });
  return requestOf(effect, ports, prompt);
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
  return {
    onSpawned: ({ host, bootId, pid, startTime }) => {
      void report({ type: 'attempt.spawned', attempt, host, boot_id: bootId, pid, start_time: startTime });
    },
    onEvent(event) {
      hearing.hear(event);
      ports.show(attempt, event);
      if (event.type === 'rate_limit' && event.status === 'rejected') {
        void report({ type: 'limit.seen', attempt, resets_at: event.resetsAtMs ?? null, window: event.window ?? null });
      }
      if (hearing.isHopeless()) giveUp('not authorised');
    },
  };
}
