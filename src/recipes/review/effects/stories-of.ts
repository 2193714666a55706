import { join } from 'node:path';
import { type NoPrompt, readPromptFile } from '../../../agents/run-agent/no-prompt.ts';
import type { Ports, StoryPorts } from '../../../engine/ports/ports.ts';
import type { RunAgent, TurnAsked } from '../../../journal/effects/effect.ts';
import { isThere } from '../../../kit/files/read.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';
import { buildTurnPrompt, type Shown } from '../turn-prompt.ts';

/** Effects on stories are decided only where there are any. */
export function storiesOf({ stories }: Pick<Ports, 'stories'>): StoryPorts {
  if (stories === null) throw new Error('This run has no stories.');
  return stories;
}

/** How they are worked on. */
export function storiesSpecOf({ settings }: Pick<Ports, 'settings'>): StoriesSpec {
  if (settings.stories === null) throw new Error('This run has no stories.');
  return settings.stories;
}

/** What an agent is told of its turn: by the operator's own template, which no agent can change, or by ours where they have none. */
export async function turnPromptOf(
  turn: TurnAsked,
  { iteration, maximum }: Pick<RunAgent, 'iteration' | 'maximum'>,
  ports: Pick<Ports, 'stories' | 'settings' | 'agent'>,
): Promise<string | NoPrompt> {
  const { home, folder, plan, reviewCap: cap, skipReview } = storiesSpecOf(ports);
  const file = join(home, folder, 'prompt.md');
  const template = (await isThere(file)) ? await readPromptFile(file) : storiesOf(ports).template;
  if (typeof template !== 'string') return template;
  const verifyCommands = ports.settings.gates.map(({ command }) => command);
  const request = { template, turn, iteration, maximum, spec: { folder, plan, cap, skipReview }, plan: { verifyCommands } };
  return buildTurnPrompt({ ...request, shown: turn.mode === 'review' ? await shownTo(turn, ports) : null });
}

/** Who judges can ask git nothing, and some cannot read a file either. */
async function shownTo({ ranges, story }: TurnAsked, ports: Pick<Ports, 'stories' | 'agent'>): Promise<Shown> {
  const { ground, reviewer } = storiesOf(ports);
  const canRead = (reviewer ?? ports.agent).judge?.canRead !== false;
  return { canRead, changes: await ground.changesIn({ ranges, story: story.id, files: !canRead }) };
}
