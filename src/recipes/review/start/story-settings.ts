import { dirname } from 'node:path/posix';
import type { ClaimSpec } from '../../../journal/words/claim.ts';
import type { StoryPlan } from '../../../journal/words/story.ts';
import { agentOf } from '../../../settings/agent-of.ts';
import { pricesIn } from '../../../settings/loop-settings.ts';
import { ms } from '../../../settings/run-limits.ts';
import { runSettings } from '../../../settings/run-settings.ts';
import type { GateSpec, RunSettings } from '../../../settings/schema/run-settings.ts';
import type { AgentSpec } from '../../../settings/schema/sandbox-spec.ts';
import { DEFAULTS, type SettingsFile } from '../../../settings/schema/settings-file.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';
import { STORIES_DEFAULTS, STORY_ITERATIONS, type StoriesRequest } from './stories-request.ts';

interface StoryPlace {
  readonly cwd: string;
  readonly home: string;
  readonly plan: StoryPlan;
}

/** A question wins over a "done" in the same message: an agent that needs an answer is not done. */
const CLAIMS: readonly ClaimSpec[] = [
  { kind: 'question', word: 'BLOCKED' },
  { kind: 'question', word: 'DECIDE' },
  { kind: 'promise', word: 'COMPLETE' },
];

/** The verify commands are those of the list at the start: no later edit removes them. */
export function storySettings(file: SettingsFile, request: StoriesRequest, place: StoryPlace): RunSettings {
  const { scm: _, reviews: __, requireChange: ___, ...kept } = file;
  const settings = runSettings(kept, { prompt: { from: 'text', text: '' }, over: request.over }, place.cwd);
  const timeoutMs = ms(file.guardrailTimeout ?? DEFAULTS.guardrailTimeout);
  const known = new Set(settings.gates.map(({ command }) => command));
  const more = [...request.checks, ...place.plan.verifyCommands].filter((command) => !known.has(command));
  return {
    ...settings,
    recipe: 'stories',
    claims: [...CLAIMS],
    gates: [...settings.gates, ...[...new Set(more)].map((command): GateSpec => ({ command, failAction: 'APPEND', hint: null, timeoutMs }))],
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
