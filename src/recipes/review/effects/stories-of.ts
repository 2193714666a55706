import { join } from 'node:path';
import { readPromptFile, type UnreadablePrompt } from '../../../agents/run-agent/prompt-file.ts';
import type { StoriesPorts } from '../../../engine/ports/ports.ts';
import type { RunAgent, TurnRequest } from '../../../journal/effects/effect.ts';
import { pathExists } from '../../../kit/files/read.ts';
import { buildTurnPrompt, type ReviewMaterial } from '../turn-prompt.ts';

/** The prompt of a turn: from the operator's template, which no agent can change, or from ours without one. */
export async function turnPromptOf(
  turn: TurnRequest,
  { iteration, maximum }: Pick<RunAgent, 'iteration' | 'maximum'>,
  ports: Pick<StoriesPorts, 'stories' | 'settings' | 'agent'>,
): Promise<string | UnreadablePrompt> {
  const { home, folder, plan, reviewCap: cap, skipReview } = ports.settings.stories;
  const file = join(home, folder, 'prompt.md');
  const template = (await pathExists(file)) ? await readPromptFile(file) : ports.stories.template;
  if (typeof template !== 'string') return template;
  const verifyCommands = ports.settings.gates.map(({ command }) => command);
  const request = { template, turn, iteration, maximum, spec: { folder, plan, cap, skipReview }, plan: { verifyCommands } };
  return buildTurnPrompt({ ...request, shown: turn.mode === 'review' ? await shownTo(turn, ports) : null });
}

/** A reviewer cannot run git, and some cannot even read a file. */
async function shownTo({ ranges, story }: TurnRequest, ports: Pick<StoriesPorts, 'stories' | 'agent'>): Promise<ReviewMaterial> {
  const { ground, reviewer } = ports.stories;
  const canRead = (reviewer ?? ports.agent).judge?.canRead !== false;
  return { canRead, changes: await ground.changesIn({ ranges, story: story.id, files: !canRead }) };
}
