import { formatDuration } from '../../kit/pure/duration.ts';
import { formatTokenCount } from '../../kit/pure/token-count.ts';
import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { shorten } from './excerpt.ts';
import { type Line, line, span } from './line.ts';
import type { Look } from './look.ts';

type Said<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

const TEXT_CHARS = 300;

/** The agent asks its model again by itself. */
export function retryLines({ attempt, max, delayMs, status, kind }: Said<'retry'>): readonly Line[] {
  const count = max === undefined ? `${attempt}` : `${attempt}/${max}`;
  const reason = status === undefined ? kind : `${kind}, HTTP ${status}`;
  const pause = delayMs === undefined ? '' : ` in ${formatDuration(delayMs)}`;
  return [line(span(`Agent retries (${reason}): ${count}${pause}`, 'busy'))];
}

/** Only the warning: a limit that was reached is told once, with the wait it means. */
export function rateLimitLines({ status, window, utilization, resetsAtMs }: Said<'rate_limit'>, { clock }: Look): readonly Line[] {
  if (status !== 'warning') return [];
  const used = utilization === undefined ? 'nearly used up' : `${Math.round(utilization * 100)}% used`;
  const until = resetsAtMs === undefined ? '' : `, resets at ${clock(resetsAtMs)}`;
  return [line(span(`Usage limit${window === undefined ? '' : ` (${window})`}: ${used}${until}`, 'busy'))];
}

/** A limit's error repeats what its wait will say. */
export function errorLines({ kind, message, status }: Said<'error'>, { glyphs }: Look): readonly Line[] {
  if (kind === 'limit') return [];
  const code = status === undefined ? '' : ` (HTTP ${status})`;
  return [line(span(`${glyphs.bad}Error${code}: ${shorten(message, TEXT_CHARS) || kind}`, 'bad'))];
}

export function noteLines({ text }: Said<'note'>): readonly Line[] {
  const note = shorten(text.trim(), TEXT_CHARS);
  return note === '' ? [] : [line(span(note, 'dim'))];
}

export function fileChangedLines({ path, kind }: Said<'file.changed'>, { glyphs }: Look): readonly Line[] {
  return [line(span(`${glyphs.elbow}${kind} ${shorten(path, TEXT_CHARS)}`, 'dim'))];
}

export function subagentStartedLines({ kind, description }: Said<'subagent.started'>, { glyphs }: Look): readonly Line[] {
  const what = kind === 'shell' ? 'Background command' : 'Sub-agent';
  const about = description === undefined ? [] : [span('(', 'dim'), span(shorten(description, 60)), span(')', 'dim')];
  return [line(span(glyphs.tool, 'accent'), span(what, 'busy'), ...about)];
}

export function subagentFinishedLines({ tokens }: Said<'subagent.finished'>, { glyphs }: Look): readonly Line[] {
  return tokens === undefined ? [] : [line(span(`${glyphs.elbow}sub-agent used ${formatTokenCount(tokens)} tokens`, 'dim'))];
}
