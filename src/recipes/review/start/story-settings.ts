import { dirname } from 'node:path/posix';
import { claimsOf } from '../../../journal/words/claim.ts';
import type { StoryPlan } from '../../../journal/words/story.ts';
import { agentOf } from '../../../settings/agent-of.ts';
import { ms, pricesIn } from '../../../settings/run-limits.ts';
import { gatesWith, runSettings } from '../../../settings/run-settings.ts';
import type { AgentSpec } from '../../../settings/schema/sandbox-spec.ts';
import { DEFAULTS } from '../../../settings/schema/settings-defaults.ts';
import type { SettingsFile } from '../../../settings/schema/settings-file.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';
import type { StoriesSettings } from '../story-turn.ts';
import { STORIES_DEFAULTS, STORY_ITERATIONS, type StoriesRequest } from './stories-request.ts';

interface StoryPlace {
  readonly cwd: string;
  readonly home: string;
  readonly plan: StoryPlan;
}

/** The verify commands are those of the list at the start: no later edit removes them. */
export function storySettings(file: SettingsFile, request: StoriesRequest, place: StoryPlace): StoriesSettings {
  const { scm: _, reviews: __, requireChange: ___, ...kept } = file;
  const settings = runSettings(kept, { prompt: { from: 'text', text: '' }, over: request.over }, place.cwd);
  const timeoutMs = ms(file.guardrailTimeout ?? DEFAULTS.guardrailTimeout);
  return {
    ...settings,
    recipe: 'stories',
    claims: claimsOf('stories', request.over.completionResponse ?? file.completionResponse),
    gates: gatesWith(settings.gates, [...request.checks, ...place.plan.verifyCommands], timeoutMs),
    includeIterationCount: false,
    maximumIterations: request.maxIterations ?? STORY_ITERATIONS,
    lanes: 1,
    requireChange: false,
    stories: storiesSpec(file, request, place, settings.agent),
  };
}

function storiesSpec(file: SettingsFile, request: StoriesRequest, { home, plan }: StoryPlace, agent: AgentSpec): StoriesSpec {
  return {
    ...STORIES_DEFAULTS,
    ...request.said,
    home,
    folder: dirname(request.plan),
    plan: request.plan,
    branch: plan.branchName,
    reviewAgent: request.reviewAgent === null ? null : agentOf({ command: request.reviewAgent, flags: [], autonomy: agent.autonomy }),
    carried: {},
    budget: request.budget,
    prices: pricesIn(file.prices),
  };
}
