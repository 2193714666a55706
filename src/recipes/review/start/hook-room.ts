import type { BeforeGit } from '../../../workspace/git/git-command.ts';
import type { HookInput } from '../../../door/hooks/hook-input.ts';
import { stopProblems } from '../../../plans/review/stop-problems.ts';
import type { RunState } from '../../../journal/state/state.ts';
import type { PlanText } from '../../../engine/ports/story-ground.ts';
import type { Tell } from '../../../engine/watcher.ts';
import type { AnswerHooks } from '../../../door/door-rooms.ts';
import type { StopRefused } from '../../../journal/events/stories.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';
import type { WallSpec } from '../../../settings/schema/wall.ts';
import { guardSetup } from '../../../door/guard/guard-setup.ts';
import { answerHook } from '../../../door/answer-hooks/answer-hook.ts';
import { dirtyPaths } from '../../../workspace/dirty-paths.ts';
import type { StoriesAtWork } from '../../../door/answer-hooks/hook-world.ts';
import { openSessionMemory } from '../../../door/answer-hooks/session-memory.ts';
import { realOf } from '../../../door/answer-hooks/spellings.ts';

interface HookRoom {
  readonly state: () => RunState;
  readonly tell: Tell;
  readonly spec: StoriesSpec;
  readonly wall: WallSpec;
  /** `tasks.json` as the agent has left it. */
  readonly readPlan: () => Promise<PlanText>;
  readonly env: Readonly<Record<string, string>>;
  /** What git obeys is put back by it before every command. */
  readonly beforeGit: BeforeGit;
  /** Folders of our own that no agent may write to: the run's, and the one the hooks lie in. */
  readonly ours: readonly string[];
  readonly warn: (text: string) => void;
}

/** Whoever asks more often in one turn is no hook: it would fill the journal. */
const MOST_TOLD = 100;

/** What a loop on stories answers its agents' hooks: from the truth in its memory, whatever lies on the disk. */
export function openHookRoom({ state, tell, spec, wall, readPlan, env, beforeGit, ours, warn }: HookRoom): AnswerHooks {
  const sessions = openSessionMemory();
  const place = { root: realOf(spec.home), folder: spec.folder, ours: ours.map(realOf) };
  const rules = { cap: spec.reviewCap, skipReview: spec.skipReview };
  let told = { iteration: 0, times: 0 };

  async function note(iteration: number, refusal: Omit<StopRefused, 'type'>): Promise<void> {
    told = { iteration, times: told.iteration === iteration ? told.times + 1 : 1 };
    if (told.times <= MOST_TOLD) await tell({ type: 'stop.refused', ...refusal });
  }

  async function stories(): Promise<StoriesAtWork | null> {
    const open = state().open.find(({ turn }) => turn !== null);
    const truth = state().stories.plan;
    if (!open?.turn || truth === null) return null;
    const { mode, story } = open.turn;
    return {
      place: { ...place, mode },
      stopBlocks: spec.stopBlocks,
      problems: async () => stopProblems(truth, await readPlan(), { mode, story, ...rules }),
      // One of several reviewers leaves its verdict to the loop, which commits that of all.
      dirtyPaths: async () => (mode === 'review' && spec.reviewers > 1 ? [] : await dirtyPaths(spec.home, env, beforeGit)),
      refused: (refusal) => note(open.number, refusal),
    };
  }

  const guard = ({ cwd }: HookInput) => guardSetup({ lists: wall.guard, mode: wall.mode, root: spec.home, cwd, env });

  return (name, input) => answerHook(name, input, { stories, guard, sessions, env, model: () => modelOf(state(), spec), warn });
}

/** The one the agent of this turn was asked to use. */
function modelOf({ run, open }: RunState, { reviewAgent }: StoriesSpec): string | null {
  const isReview = open.some(({ turn }) => turn?.mode === 'review');
  return (isReview ? (reviewAgent ?? run?.settings.agent) : run?.settings.agent)?.model ?? null;
}
