import { attemptId } from '../../journal/effects/effect.ts';
import { agentOfAttempt } from '../../limits/agents.ts';
import type { RunHistory } from '../../report/history/run-history.ts';
import type { AgentSpec } from '../../settings/schema/sandbox-spec.ts';
import type { Bar } from './page.ts';

/** The iteration that page and stream show: the chosen one, else the last of the chosen task or of the run, an open one first. */
export function shownBar(bars: readonly Bar[], chosen: number | null, chosenTask: string | null): Bar | null {
  const found = bars.find(({ iteration }) => iteration === chosen);
  if (found !== undefined) return found;
  const ofTask = bars.filter(({ task }) => chosenTask === null || task === chosenTask);
  return ofTask.findLast(({ to }) => to === null) ?? ofTask.at(-1) ?? null;
}

/** What a bar is coloured by. */
export function verdictOf({ result, proven, asks, to }: Pick<Bar, 'result' | 'proven' | 'asks' | 'to'>): string {
  if (to === null) return 'open';
  if (asks && !proven) return 'asks';
  return proven ? 'proven' : (result ?? 'abandoned');
}

/** One agent process, and what is needed to read what it printed. */
export interface ShownAttempt {
  /** `<iteration>.<k>` */
  readonly attempt: string;
  readonly role: string;
  readonly agent: AgentSpec;
}

/** The attempt of an iteration whose words are shown beside its claim: the one at work, else the last. Whoever only wrote a commit message is not meant. */
export function shownAttempt({ state, iterations }: Pick<RunHistory, 'state' | 'iterations'>, number: number): ShownAttempt | null {
  const settings = state.run?.settings;
  if (settings === undefined) return null;
  const working = state.inFlight.findLast((effect) => effect.kind === 'run-agent' && effect.iteration === number);
  if (working?.kind === 'run-agent') return { attempt: attemptId(working), role: working.role, agent: agentOfAttempt(settings, working) };
  const ended = iterations.find(({ iteration }) => iteration === number)?.attempts ?? [];
  const last = ended.findLast(({ role }) => role !== 'message') ?? ended.at(-1);
  return last === undefined ? null : { attempt: `${number}.${last.attempt}`, role: last.role, agent: agentOfAttempt(settings, last) };
}
