import { join } from 'node:path';
import { readPromptFile, type UnreadablePrompt } from '../../../agents/run-agent/prompt-file.ts';
import type { Ports, StoryPorts } from '../../../engine/ports/ports.ts';
import type { RunAgent, TurnRequest } from '../../../journal/effects/effect.ts';
import { pathExists } from '../../../kit/files/read.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';
import { buildTurnPrompt, type ReviewMaterial } from '../turn-prompt.ts';

/** Effects on stories are decided only in runs that have stories. */
export function storiesOf({ stories }: Pick<Ports, 'stories'>): StoryPorts {
  if (stories === null) throw new Error('This run has no stories.');
  return stories;
}

/** The settings for stories. */
export function storiesSpecOf({ settings }: Pick<Ports, 'settings'>): StoriesSpec {
  if (settings.stories === null) throw new Error('This run has no stories.');
  return settings.stories;
}

/** The prompt of a turn: from the operator's template, which no agent can change, or from ours without one. */
export async function turnPromptOf(
  turn: TurnRequest,
  { iteration, maximum }: Pick<RunAgent, 'iteration' | 'maximum'>,
  ports: Pick<Ports, 'stories' | 'settings' | 'agent'>,
): Promise<string | UnreadablePrompt> {
  const { home, folder, plan, reviewCap: cap, skipReview } = storiesSpecOf(ports);
  const file = join(home, folder, 'prompt.md');
  const template = (await pathExists(file)) ? await readPromptFile(file) : storiesOf(ports).template;
  if (typeof template !== 'string') return template;
  const verifyCommands = ports.settings.gates.map(({ command }) => command);
  const request = { template, turn, iteration, maximum, spec: { folder, plan, cap, skipReview }, plan: { verifyCommands } };
  return buildTurnPrompt({ ...request, shown: turn.mode === 'review' ? await shownTo(turn, ports) : null });
}

/** A reviewer cannot run git, and some cannot even read a file. */
async function shownTo({ ranges, story }: TurnRequest, ports: Pick<Ports, 'stories' | 'agent'>): Promise<ReviewMaterial> {
  const { ground, reviewer } = storiesOf(ports);
  const canRead = (reviewer ?? ports.agent).judge?.canRead !== false;
  return { canRead, changes: await ground.changesIn({ ranges, story: story.id, files: !canRead }) };
}
