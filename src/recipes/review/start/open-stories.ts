import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { agentEnvironment } from '../../../agents/agent-access.ts';
import { openAgent } from '../../../agents/open-agent.ts';
import { answerHook } from '../../../door/answer-hooks/answer-hook.ts';
import { HOOK_ENTRY, HOOKS_BY_LOOP, HOOKS_VARIABLE, hookCommand, hooksFor } from '../../../door/answer-hooks/hook-command.ts';
import { guardSetup, realOf, type StoriesAtWork } from '../../../door/answer-hooks/hook-sources.ts';
import { openSessionMemory } from '../../../door/answer-hooks/session-memory.ts';
import { doorPath } from '../../../door/door-client.ts';
import type { AnswerHooks } from '../../../door/door-context.ts';
import type { HookInput } from '../../../door/hooks/hook-input.ts';
import { firstOnPath, writeRalphShim } from '../../../door/ralph-shim.ts';
import type { Projection, SendEvent } from '../../../engine/contracts.ts';
import type { PlanText } from '../../../engine/ports/story-workspace.ts';
import type { StopRefused } from '../../../journal/events/stories.ts';
import type { RunState } from '../../../journal/state/state.ts';
import { packagePath } from '../../../kit/files/package-root.ts';
import { readRegular } from '../../../kit/files/read.ts';
import { shellQuote } from '../../../kit/pure/shell-words.ts';
import { stopProblems } from '../../../plans/review/settle-stories.ts';
import type { OpenedRun } from '../../../runs/opened-run.ts';
import type { EquippedAgent, RecipePorts, RunHandles } from '../../../runs/run-handles.ts';
import { warnFunctionOf } from '../../../runs/run-options.ts';
import { gatesSandbox } from '../../../runs/sandbox/open-sandboxes.ts';
import type { AgentSpec, SandboxSpec } from '../../../settings/schema/sandbox-spec.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';
import { dirtyPaths } from '../../../workspace/dirty-paths.ts';
import { readPlanFile } from '../../../workspace/stories/git-story-plan-file.ts';
import { openStoryWorkspace } from '../../../workspace/stories/open-story-workspace.ts';
import { keepActiveMarker } from '../projections/active-marker.ts';
import { tellsToWriteVerdicts, turnTemplateProblems } from '../turn-prompt.ts';

/** The path of `.ralph-active` (seed 003). */
export function markerOf(home: string): string {
  return join(home, '.ralph-active');
}

/** Opens everything that a run on stories needs. */
export async function openStories(
  openedRun: OpenedRun,
  spec: StoriesSpec,
  at: RunHandles,
): Promise<Pick<RecipePorts, 'own' | 'agent' | 'agentEnv' | 'equip' | 'openHooks'>> {
  const { workspace, runFolder, options, settings, clock } = openedRun;
  const ground = openStoryWorkspace(workspace, spec, { ...at, behind: gatesSandbox(openedRun, at.walls), signal: options.signal });
  at.scope.defer(() => ground[Symbol.asyncDispose]());
  warnOfTemplate(spec, warnFunctionOf(options));
  const binFolder = await writeRalphShim(runFolder);
  const envOf = ({ kind, env: account }: AgentSpec) => ({
    ...agentEnvironment(workspace.env, { kind, pass: settings.wall.env.pass, env: account }),
    RALPH_RUN_ID: at.runId,
    RALPH_SOCKET: at.door,
    PATH: firstOnPath(binFolder, workspace.env['PATH']),
  });
  const hooked = (agent: AgentSpec) => withHooks(agent, envOf(agent), { isWanted: spec.hooks, door: at.door, warn: warnFunctionOf(options) });
  const open = async ({ agent, env }: EquippedAgent) =>
    openAgent({ ...settings, agent }, { env, git: workspace.git }, { guardian: at.guardian, nowMs: clock.nowMs, wall: await at.walls.sandboxFor(agent.kind) });
  const { agent, env } = hooked(settings.agent);
  return {
    own: {
      stories: {
        ground,
        reviewer: spec.reviewAgent && (await open(hooked(spec.reviewAgent))),
        template: await readFile(packagePath('templates', 'prompt.md'), 'utf8'),
      },
    },
    agent,
    agentEnv: env,
    equip: hooked,
    openHooks: (tell, state) =>
      openHookAnswers({
        state,
        tell,
        ...hookPlaceOf(spec, at.walls.copy, ground.readPlan),
        wall: settings.wall,
        env: workspace.env,
        ours: [runFolder, dirname(HOOK_ENTRY)],
        warn: warnFunctionOf(options),
      }),
  };
}

/** In a copy, the agent edits the list of the copy while it runs. */
function hookPlaceOf(spec: StoriesSpec, copy: string | null, readPlan: HookAnswersOptions['readPlan']): Pick<HookAnswersOptions, 'spec' | 'readPlan'> {
  if (copy === null) return { spec, readPlan };
  return { spec: { ...spec, home: copy }, readPlan: () => readPlanFile({ topLevel: copy, plan: spec.plan, planPath: join(copy, spec.plan) }) };
}

function warnOfTemplate({ home, folder, skipReview }: StoriesSpec, warn: (text: string) => void): void {
  const template = readRegular(join(home, folder, 'prompt.md'));
  if (template === null) return;
  for (const problem of turnTemplateProblems(template)) warn(`${folder}/prompt.md: ${problem}`);
  if (!skipReview && tellsToWriteVerdicts(template))
    warn(
      `${folder}/prompt.md tells reviewers to write their verdict into tasks.json, but it counts only at the end of their last message; every review prompt says so below the template`,
    );
}

interface HookOptions {
  readonly isWanted: boolean;
  readonly door: string;
  readonly warn: (text: string) => void;
}

/** Only claude takes hooks on its command line. If the operator gave it --settings, those stay and no hooks are added: the loop checks after every attempt anyway. */
function withHooks(agent: AgentSpec, env: EquippedAgent['env'], { isWanted, door, warn }: HookOptions): EquippedAgent {
  if (!isWanted || agent.kind !== 'claude') return { agent, env };
  if (agent.flags.some((flag) => /^--(settings|bare)\b/.test(flag))) {
    warn('the agent has --settings of its own, so its hooks are not wired; the loop checks after every attempt anyway');
    return { agent, env };
  }
  // Flags are split as a shell splits words.
  const flags = [...hookFlags({ doorPath: door, hookEntry: HOOK_ENTRY, node: process.execPath }).map(shellQuote), ...agent.flags];
  return { agent: { ...agent, flags }, env: { ...env, [HOOKS_VARIABLE]: HOOKS_BY_LOOP } };
}

/** The seed's marker, for others to read; the loop itself never reads it. */
export function storyProjections({ settings, clock, options, runFolder, workspace }: OpenedRun, spec: StoriesSpec): readonly Projection[] {
  const { maximumIterations: maxIterations } = settings;
  const mode = settings.wall.mode === 'guard' ? 'direct' : 'sandbox';
  const socket = doorPath(basename(runFolder), workspace.env);
  return [keepActiveMarker(markerOf(spec.home), { spec, maxIterations, mode, socket, nowMs: clock.nowMs, warn: warnFunctionOf(options) })];
}

interface HookPlaces {
  readonly doorPath: string;
  /** The single-file entry. */
  readonly hookEntry: string;
  readonly node: string;
}

/** The flags that make claude call our hooks, beside whatever the user's own settings contain. */
export function hookFlags({ doorPath, hookEntry, node }: HookPlaces): readonly string[] {
  const places = { socket: shellQuote(doorPath), node: shellQuote(node), entry: shellQuote(hookEntry) };
  return ['--settings', JSON.stringify({ hooks: hooksFor((name) => hookCommand(name, places)) })];
}

interface HookAnswersOptions {
  readonly state: () => RunState;
  readonly tell: SendEvent;
  readonly spec: StoriesSpec;
  readonly wall: SandboxSpec;
  /** `tasks.json` as the agent has left it. */
  readonly readPlan: () => Promise<PlanText>;
  readonly env: Readonly<Record<string, string>>;
  /** Our folders that no agent may write to: the run's folder, and the one with the hooks. */
  readonly ours: readonly string[];
  readonly warn: (text: string) => void;
}

/** A caller that asks more often in one turn is not a hook, and would fill the journal. */
const MOST_TOLD = 100;

/** Answers the hooks of agents from the loop's own state, whatever is on the disk. */
export function openHookAnswers({ state, tell, spec, wall, readPlan, env, ours, warn }: HookAnswersOptions): AnswerHooks {
  const sessions = openSessionMemory();
  const place = { root: realOf(spec.home), folder: spec.folder, ours: ours.map(realOf) };
  const rules = { cap: spec.reviewCap, skipReview: spec.skipReview };
  let told = { iteration: 0, times: 0 };

  async function note(iteration: number, refusal: Omit<StopRefused, 'type'>): Promise<void> {
    told = { iteration, times: told.iteration === iteration ? told.times + 1 : 1 };
    if (told.times <= MOST_TOLD) await tell({ type: 'stop.refused', ...refusal });
  }

  async function stories({ dirtyPaths: seenInside }: HookInput): Promise<StoriesAtWork | null> {
    const open = state().open.find(({ turn }) => turn !== null);
    const truth = state().stories.plan;
    if (!open?.turn || truth === null) return null;
    const { mode, story } = open.turn;
    return {
      place: { ...place, mode },
      stopBlocks: spec.stopBlocks,
      // A reviewer gives its verdict as a message and leaves no files, so there is nothing to check.
      problems: async () => (mode === 'review' ? [] : stopProblems(truth, await readPlan(), { mode, story, ...rules })),
      dirtyPaths: async () => (mode === 'review' ? [] : (seenInside ?? (await dirtyPaths(spec.home, env)))),
      refused: (refusal) => note(open.number, refusal),
    };
  }

  const guard = ({ cwd }: HookInput) => guardSetup({ lists: wall.guard, mode: wall.mode, root: spec.home, cwd, env });

  return (name, input) => answerHook(name, input, { stories, guard, sessions, env, model: () => modelOf(state(), spec), warn });
}

/** The model that the agent of this turn was told to use. */
function modelOf({ run, open }: RunState, { reviewAgent }: StoriesSpec): string | null {
  const isReview = open.some(({ turn }) => turn?.mode === 'review');
  return (isReview ? (reviewAgent ?? run?.settings.agent) : run?.settings.agent)?.model ?? null;
}
