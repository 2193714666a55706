import { contextAlert } from '../hooks/context-alert.ts';
import { contextWindow, positiveNumber } from '../hooks/context-window.ts';
import { type HookAnswer, moreContext } from '../hooks/hook-answer.ts';
import type { HookInput } from '../hooks/hook-input.ts';
import type { HookWorld } from './hook-world.ts';
import { lookAtTranscript } from './transcript.ts';

const USUAL_CHARS_PER_TOKEN = 4;

/** Tells an agent how full its window is, each threshold once. Somebody who works for it has a window of its own, and would take the word for itself. */
export function answerContext({ session, transcript, isSubagent }: HookInput, { sessions, env, model, warn }: HookWorld): HookAnswer {
  const seen = isSubagent || transcript === null ? null : lookAtTranscript(transcript);
  if (seen === null) return null;
  const { bytes, usage } = seen;
  const perToken = positiveNumber(env['RALPH_CHARS_PER_TOKEN']) ?? USUAL_CHARS_PER_TOKEN;
  const window = contextWindow({
    said: env['CLAUDE_CONTEXT_WINDOW'],
    models: [model(), env['ANTHROPIC_MODEL'], usage?.model],
    counted: usage?.tokens ?? null,
  });
  const alert = contextAlert({ tokens: usage?.tokens ?? bytes / perToken, window, told: sessions.told(session) });
  if (alert === null) return null;
  if (sessions.keepTold(session, alert.threshold)) return moreContext(alert.text);
  warn('the hook context cannot remember what it has said, and says nothing');
  return null;
}
