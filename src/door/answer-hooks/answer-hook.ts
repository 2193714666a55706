import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegular } from '../../kit/files/read.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';
import { judgeTool, verdictText } from '../../sandbox/guard/judge-tool.ts';
import { contextAlert, contextWindow, positiveNumber, type TranscriptUsage, transcriptUsage } from '../hooks/context-alert.ts';
import { guardDecision } from '../hooks/guard-decision.ts';
import { advice, approval, block, denial, type HookAnswer, type HookInput, type HookName, moreContext, readHookInput, warning } from '../hooks/hook-input.ts';
import { stopDecision } from '../hooks/stop-decision.ts';
import { type HookSources, spellingsOf } from './hook-sources.ts';

/** Answers a hook, with or without a running loop. Never throws. On an error the guard denies, and all other hooks do nothing. */
export async function answerHook(name: HookName, input: unknown, world: HookSources): Promise<HookAnswer> {
  try {
    return await answer(name, readHookInput(input), world);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    world.warn(`the hook ${name} failed: ${why}`);
    return name === 'guard' ? denial(`Ralph's guard could not check this: ${why}. Try again, or do it another way.`) : null;
  }
}

async function answer(name: HookName, input: HookInput, world: HookSources): Promise<HookAnswer> {
  switch (name) {
    case 'stop':
      return await answerStop(input, world);
    case 'context':
      return answerContext(input, world);
    case 'guard':
      return await answerGuard(input, world);
    case 'session-start':
      world.sessions.forget(input.session);
      return null;
    default:
      return assertNever(name);
  }
}

const USUAL_CHARS_PER_TOKEN = 4;

/**
 * Tells an agent how full its context window is, once for each threshold. A sub-agent has its own window and would take the alert for its own, so it gets none.
 */
function answerContext({ session, transcript, isSubagent }: HookInput, { sessions, env, model, warn }: HookSources): HookAnswer {
  const seen = isSubagent || transcript === null ? null : lookAtTranscript(transcript);
  if (seen === null) return null;
  const { bytes, usage } = seen;
  const perToken = positiveNumber(env['RALPH_CHARS_PER_TOKEN']) ?? USUAL_CHARS_PER_TOKEN;
  const window = contextWindow({
    said: env['CLAUDE_CONTEXT_WINDOW'],
    models: [model(), env['ANTHROPIC_MODEL'], usage?.model],
    counted: usage?.tokens ?? null,
  });
  const alert = contextAlert({ tokens: usage?.tokens ?? bytes / perToken, window, told: sessions.lastAlert(session) });
  if (alert === null) return null;
  if (sessions.keepAlert(session, alert.threshold)) return moreContext(alert.text);
  warn('the hook context cannot store which alerts it gave, so it gives none');
  return null;
}

/** The last answer is at the end of the transcript. The larger size is needed only behind a very long line. */
const TAILS = [64 * 1024, 4 * 1024 * 1024];

/** The size of a transcript and the token counts of its last request; null: there is no transcript. A large one costs no more than a small one. */
function lookAtTranscript(path: string): { readonly bytes: number; readonly usage: TranscriptUsage | null } | null {
  const fd = openRegular(path);
  if (fd === null) return null;
  try {
    const bytes = fstatSync(fd).size;
    for (const tail of TAILS) {
      const usage = transcriptUsage(readTail(fd, bytes, tail));
      if (usage !== null || tail >= bytes) return { bytes, usage };
    }
    return { bytes, usage: null };
  } finally {
    closeSync(fd);
  }
}

function readTail(fd: number, size: number, bytes: number): string {
  const buffer = Buffer.alloc(Math.min(size, bytes));
  return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, size - buffer.length));
}

/** About a page. The loop tells the rest after the agent has ended. */
const LONGEST_REASON = 8_000;
const LONGEST_SESSION = 200;

/** Decides whether an agent may stop. If the blocks cannot be counted, it may stop: otherwise it could be blocked forever. */
async function answerStop(input: HookInput, { stories, sessions, warn }: HookSources): Promise<HookAnswer> {
  const turn = await stories(input);
  if (turn === null) return null;
  const { session, isStopHookActive } = input;
  const [problems, dirtyPaths] = await Promise.all([turn.problems(), turn.dirtyPaths()]);
  const { place, stopBlocks: limit } = turn;
  const seen = { problems, dirtyPaths, stopHookActive: isStopHookActive, blocksSoFar: sessions.blocks(session), limit };
  const decision = stopDecision({ ...seen, folder: place.folder });
  if (decision.decision === 'approve') return approval;
  const isLetGo = decision.decision === 'let-go';
  const reason = truncateCodePoints(decision.reason, LONGEST_REASON, '…');
  if (!isLetGo && !sessions.keepBlocks(session, decision.blocks)) {
    warn('the hook stop cannot count its blocks, so it blocks nobody');
    return approval;
  }
  await turn.refused({ session: truncateCodePoints(session, LONGEST_SESSION, '…'), reason, blocks: decision.blocks, let_go: isLetGo });
  return isLetGo ? approval : block(reason);
}

/** Decides whether an agent may make this tool call. Input that cannot be read is denied. */
async function answerGuard(input: HookInput, { stories, guard, warn }: HookSources): Promise<HookAnswer> {
  const turn = await stories(input);
  const { tool, toolInput } = input;
  if (tool === null) return denial("Ralph's guard could not read this tool call: it may be too large. Do it in smaller steps.");
  const { place, isSandboxed: isWalled } = guard(input);
  const file = toolInput['file_path'] ?? toolInput['notebook_path'] ?? toolInput['path'];
  const paths = typeof file === 'string' && file !== '' ? spellingsOf(withHome(file, place.home), place.cwd) : [];
  const command = tool === 'Bash' ? String(toolInput['command'] ?? '') : null;
  const call = { tool, paths, command };
  const why = turn === null ? null : guardDecision(call, turn.place);
  if (why !== null) return denial(why);
  const verdict = judgeTool(call, place);
  if (verdict.level === 'allow') return null;
  const text = `Ralph's guard: ${verdictText(verdict)}`;
  if (verdict.level === 'warn') {
    // Claude shows the message to nobody in unattended mode, so it is logged too.
    warn(text);
    return warning(text);
  }
  return isWalled ? advice(text) : denial(text);
}

const withHome = (path: string, home: string | null) => (home !== null && path.startsWith('~/') ? home + path.slice(1) : path);
