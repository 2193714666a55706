import { oneLine } from '../../kit/pure/one-line.ts';
import { shellQuote } from '../../kit/pure/shell-quote.ts';
import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';
import type { AttemptEnded, Ending } from '../../journal/events/attempt.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { CommandEnded } from '../../journal/events/scm.ts';
import type { GateSpec, RunSettings } from '../../settings/schema/run-settings.ts';
import { endingText } from '../../journal/ending-text.ts';
import { secondsText } from './progress-text.ts';
import { shorten } from './excerpt.ts';
import { capital, type GateWords } from './gate-words.ts';
import { type Line, prose, span } from './line.ts';
import { commandText } from './scm-lines.ts';

const PROMPT_CHARS = 200;
const VALUE_CHARS = 1000;
const COMMAND_CHARS = 5000;

/** `[ralph] …` (seed 001). */
export function verboseLine(text: string): Line {
  return prose(span(`[ralph] ${text}`, 'dim'));
}

/** What the run was started with, as it came out of all files and flags. Of the prompt only the beginning: it may be a book. */
export function verboseSettingsLines(sources: readonly string[], settings: RunSettings): readonly Line[] {
  const { prompt } = settings;
  const shown = prompt.from === 'text' ? { ...prompt, text: beginning(prompt.text) } : prompt;
  const brief = (_key: string, value: unknown) => (typeof value === 'string' ? truncateCodePoints(value, VALUE_CHARS, '...') : value);
  return [
    ...sources.map((file) => verboseLine(`Loading settings from ${file}`)),
    verboseLine(`Settings: ${JSON.stringify({ ...settings, prompt: shown, supervise: withoutValues(settings.supervise) }, brief)}`),
  ];
}

/** What is put into an agent's environment may be a key. */
function withoutValues(supervise: RunSettings['supervise']): unknown {
  return supervise && { ...supervise, env: Object.keys(supervise.env) };
}

export function verboseSpawnedLines({ pid, command, prompt_head }: Extract<EventBody, { type: 'attempt.spawned' }>): readonly Line[] {
  return [
    ...(command.length === 0 ? [] : [verboseLine(`Agent command: ${shorten(oneLine(command.map(shellQuote).join(' ')), COMMAND_CHARS)}`)]),
    ...(prompt_head === '' ? [] : [verboseLine(`Prompt: ${beginning(prompt_head)}`)]),
    verboseLine(`Agent started (pid ${pid})`),
  ];
}

export function verboseGateStartedLines({ command }: GateSpec, { one }: GateWords): readonly Line[] {
  return [verboseLine(`Running ${one}: ${command}`)];
}

export function verboseGateEndedLines({ ending, duration_ms }: GateResult, { one }: GateWords): readonly Line[] {
  return [verboseLine(`${capital(one)} ${howItExited(ending)} (${secondsText(duration_ms)})`)];
}

/** Only the work can claim to be done, so nothing else is checked for it. */
export function verboseAttemptLines({ role, claim, unknown_lines, duration_ms }: AttemptEnded, events: number): readonly Line[] {
  const took = verboseLine(`Agent ran for ${secondsText(duration_ms)}`);
  if (role === 'message') return [took];
  const stats = verboseLine(`stream stats: ${events} events, ${unknown_lines} errors`);
  if (role !== 'work') return [stats, took];
  return [
    stats,
    took,
    verboseLine(claim ? `Checking completion: "${shorten(claim.text, 60)}" claimed by ${claim.by}` : 'Checking completion: nothing claimed'),
  ];
}

export function verboseCommandBegunLines(argv: readonly string[]): readonly Line[] {
  return [verboseLine(`Running SCM task: ${commandText(argv)}`)];
}

export function verboseCommandEndedLines({ ending, duration_ms }: CommandEnded): readonly Line[] {
  return [verboseLine(`SCM task ${howItExited(ending)} (${secondsText(duration_ms)})`)];
}

export function verboseCommitLines(tookMs: number): readonly Line[] {
  return [verboseLine(`The commit took ${secondsText(tookMs)}`)];
}

function beginning(text: string): string {
  return oneLine(truncateCodePoints(text, PROMPT_CHARS, '...'));
}

function howItExited(ending: Ending): string {
  return ending.kind === 'exited' ? `exited with code ${ending.code}` : endingText(ending);
}
