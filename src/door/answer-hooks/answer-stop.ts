import { approval, block, type HookAnswer } from '../hooks/hook-answer.ts';
import type { HookInput } from '../hooks/hook-input.ts';
import { stopDecision } from '../hooks/stop-decision.ts';
import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';
import type { HookWorld } from './hook-world.ts';

/** A page: what does not fit is told again after the agent has ended. */
const LONGEST_REASON = 8_000;
const LONGEST_SESSION = 200;

/** Whether an agent may stop. Nobody is kept from it who could not be counted, for that might never end. */
export async function answerStop(input: HookInput, { stories, sessions, warn }: HookWorld): Promise<HookAnswer> {
  const work = await stories(input);
  if (work === null) return null;
  const { session, isStopHookActive } = input;
  const [problems, dirtyPaths] = await Promise.all([work.problems(), work.dirtyPaths()]);
  const { place, stopBlocks: limit } = work;
  const seen = { problems, dirtyPaths, stopHookActive: isStopHookActive, blocksSoFar: sessions.blocks(session), limit };
  const decision = stopDecision({ ...seen, folder: place.folder, mode: place.mode });
  if (decision.decision === 'approve') return approval;
  const isLetGo = decision.decision === 'let-go';
  const reason = truncateCodePoints(decision.reason, LONGEST_REASON, '…');
  if (!isLetGo && !sessions.keepBlocks(session, decision.blocks)) {
    warn('the hook stop cannot keep count, and blocks nobody');
    return approval;
  }
  await work.refused({ session: truncateCodePoints(session, LONGEST_SESSION, '…'), reason, blocks: decision.blocks, let_go: isLetGo });
  return isLetGo ? approval : block(reason);
}
