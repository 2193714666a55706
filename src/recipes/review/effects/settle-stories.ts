import { dirname, join } from 'node:path';
import type { EffectHandler } from '../../../engine/contracts.ts';
import type { StoriesPorts } from '../../../engine/ports/ports.ts';
import type { PlanText, SettledStoryWorkspace, SettleStoriesRequest } from '../../../engine/ports/story-workspace.ts';
import { isSameJson } from '../../../engine/same-json.ts';
import type { SettleStories } from '../../../journal/effects/story-effect.ts';
import type { StoriesSettled } from '../../../journal/events/stories.ts';
import type { StoryMove, StoryPlan } from '../../../journal/words/story.ts';
import { readText } from '../../../kit/files/read-text.ts';
import { makeFoldersBelow, writeAtomic } from '../../../kit/files/write.ts';
import { diskError } from '../../../kit/pure/operator-error.ts';
import { applyMoves } from '../../../plans/review/apply-moves.ts';
import { settleStories as compare } from '../../../plans/review/settle-stories.ts';
import { storiesText } from '../../../plans/review/stories-text.ts';
import { moveOfVerdict, type WorkMode } from '../../../plans/review/turn.ts';
import { protectedWords } from '../../../proof/judge/acceptance.ts';
import { protectedPaths } from '../../../settings/schema/recipe-facts.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';
import { gitMust, keptRef } from '../../../workspace/effects/scm-place.ts';
import { storyIn, turnMessage } from '../story-turn.ts';

/** The event lists at most this many; the kept ref has all of them. */
const MOST_PATHS = 1000;

/** Judges the agent's edits of the list by the loop's own state, and its changes to the branch and to other files by the mode of its turn. */
export const settleStories: EffectHandler<SettleStories, StoriesPorts> = {
  perform: async (effect, ports) => await settle(effect, ports, await saveStoryFile(ports, effect)),

  /** Safe to repeat: it starts from the saved list of the agent, which the loop that died may have rewritten already. */
  async find(effect, ports) {
    const form = await savedStoryFile(ports, effect);
    return form === null ? null : await settle(effect, ports, form);
  },
};

async function settle(effect: SettleStories, ports: StoriesPorts, form: PlanText): Promise<StoriesSettled> {
  const spec = ports.settings.stories;
  const { mode, story, counts } = effect;
  const said = mode === 'review' ? saidInReview(effect, form, spec) : saidInTheList(effect, mode, { form, spec });
  const claimed = counts ? said.move : null;
  const expected = mode === 'review' ? said.plan : expectedPlan(said.plan, claimed, spec);
  const message = turnMessage(mode, storyIn(expected, claimed?.story ?? story));
  const request = wishOf(effect, ports, { text: textFor(form, expected), message, moves: claimed !== null });
  const done = await gitMust('put the branch of the stories in order', () => ports.stories.ground.settle(request));
  const trespassed = mode === 'review' && couldWrite(effect, ports) ? done.reverted.filter((path) => !isTheirs(path, spec)) : [];
  const complaints = complaintsOf(done, trespassed, protectedIn(done, effect, ports));
  const move = complaints.length === 0 ? claimed : null;
  return settled(effect, done, { plan: said.plan, move, accepted: [...said.accepted], refused: [...said.refused, ...complaints] });
}

type Said = ReturnType<typeof compare>;

function saidInTheList({ truth, story }: SettleStories, mode: WorkMode, { form, spec }: { readonly form: PlanText; readonly spec: StoriesSpec }): Said {
  return compare(truth, form, { mode, story, cap: spec.reviewCap, skipReview: spec.skipReview });
}

/** A reviewer that could not write is not blamed for files that a check or another process left meanwhile. */
const couldWrite = ({ review }: SettleStories, { settings }: StoriesPorts) => review?.weak !== false && settings.wall.mode !== 'os';

/** A verdict counts only as the reviewer's message. Whatever the list contains now, its author is unknown. */
function saidInReview({ truth, story, review }: SettleStories, form: PlanText, { reviewCap, plan }: StoriesSpec): Said {
  const move = review ? moveOfVerdict(review, storyIn(truth, story), reviewCap) : null;
  const isSame = form.kind === 'text' && isSameJson(form.text, truth);
  const refused = `${plan} was changed during a review and was put back: a verdict is what the reviewer says at the end of its last message.`;
  return { plan: truth, move, accepted: [], refused: isSame ? [] : [refused] };
}

/** The list as it must be if every reported move is confirmed. */
function expectedPlan(plan: StoryPlan, move: StoryMove | null, { reviewCap: cap, skipReview }: StoriesSpec): StoryPlan {
  return move === null ? plan : applyMoves(plan, [move], { cap, skipReview, green: true, red: '' }).plan;
}

/** Null when the file says so already. */
function textFor(form: PlanText, expected: StoryPlan): string | null {
  const text = form.kind === 'text' ? form.text : null;
  return isSameJson(text, expected) ? null : storiesText(expected, text);
}

interface ExpectedPlan {
  readonly text: string | null;
  readonly message: string;
  /** Whether a story moves. */
  readonly moves: boolean;
}

function wishOf(
  { iteration, attempt, mode, story, head, tree, undo_all }: SettleStories,
  ports: StoriesPorts,
  { text, message, moves }: ExpectedPlan,
): SettleStoriesRequest {
  const spec = ports.settings.stories;
  const patterns = protectedPaths(ports.settings);
  const putBackMessage = `ralph: [${story}] - put back what this turn may not change`;
  return {
    branch: spec.branch,
    head,
    tree,
    revert: mode === 'review' ? { kind: 'all-but', paths: [], patterns } : { kind: 'only', paths: frozenIn(spec.folder), patterns },
    forget: undo_all,
    plan: undo_all ? null : text,
    message,
    putBackMessage,
    planMessage: moves ? message : putBackMessage,
    keptRef: keptRef(ports.place, `${iteration}.${attempt}`),
  };
}

/** Only the operator writes these, in any turn. */
const frozenIn = (folder: string) => [join(folder, 'prd.md'), join(folder, 'prompt.md')];

/** A reviewer is not blamed for writing here, because old templates tell it to. The changes are reverted all the same. */
const theirsIn = ({ folder, plan }: StoriesSpec) => (folder === '.' ? [plan, 'progress.txt'] : [folder]);

const isTheirs = (path: string, spec: StoriesSpec) => [...theirsIn(spec), ...frozenIn(spec.folder)].some((own) => path === own || path.startsWith(`${own}/`));

/** Reasons why its claim does not count. A hook that only refused what the loop reverted says nothing about the agent. */
function complaintsOf({ rewound, hook, leftovers }: SettledStoryWorkspace, trespassed: readonly string[], guarded: readonly string[]): readonly string[] {
  return [
    ...(guarded.length === 0 ? [] : [protectedWords(guarded)]),
    ...(rewound === null ? [] : [`${rewound}: the branch was put back. Commit on top of what is there, and never take commits away.`]),
    ...(hook === null || !leftovers
      ? []
      : [`What you left uncommitted is refused by the project's own commit hook: ${hook}. Mend that and commit it yourself.`]),
    ...(trespassed.length === 0
      ? []
      : ['A review changes no code, so this verdict does not count: say what is wrong in the feedback of the verdict instead of mending it.']),
  ];
}

/** Reverted paths other than the operator's own files are protected paths. A branch that was reset as a whole, and a review, have their own messages. */
function protectedIn({ reverted, rewound }: SettledStoryWorkspace, { mode }: SettleStories, ports: StoriesPorts): readonly string[] {
  if (mode === 'review' || protectedPaths(ports.settings).length === 0 || rewound !== null) return [];
  const frozen = frozenIn(ports.settings.stories.folder);
  return reverted.filter((path) => !frozen.includes(path));
}

type Settled = Pick<StoriesSettled, 'plan' | 'move' | 'accepted' | 'refused'>;

function settled({ key, iteration, attempt }: SettleStories, { head, tree, commit, reverted, kept }: SettledStoryWorkspace, said: Settled): StoriesSettled {
  return { type: 'stories.settled', key, iteration, attempt, ...said, undone: reverted.slice(0, MOST_PATHS), kept, head, tree, commit, problem: null };
}

type KeptBy = Pick<StoriesPorts, 'stories' | 'place'>;

interface OfAttempt {
  readonly iteration: number;
  readonly attempt: number;
}

/** The list of stories as an attempt left it. Saved before it is rewritten, so that a loop that dies in between loses no claim. */
export async function saveStoryFile(ports: KeptBy, of: OfAttempt): Promise<PlanText> {
  const { runFolder } = ports.place;
  const file = fileOf(ports, of);
  const form = await ports.stories.ground.readPlan();
  try {
    await makeFoldersBelow(runFolder, dirname(file), 0o700);
    await writeAtomic(file, `${JSON.stringify(form)}\n`);
  } catch (error) {
    throw diskError(`the list of stories cannot be saved in ${runFolder} (${(error as Error).message})`, error);
  }
  return form;
}

/** The list that a loop saved before it died; null: none. Read only for an attempt that the loop had begun to settle: an agent may have written the file in advance. */
export async function savedStoryFile(ports: KeptBy, of: OfAttempt): Promise<PlanText | null> {
  const kept = await readText(fileOf(ports, of), 'refuse pipes');
  return kept.kind === 'text' ? formIn(kept.text) : null;
}

function fileOf({ place }: KeptBy, { iteration, attempt }: OfAttempt): string {
  return join(place.runFolder, 'iterations', String(iteration).padStart(3, '0'), `stories-after-${attempt}.json`);
}

function formIn(text: string): PlanText | null {
  try {
    const { kind, text: said, why } = JSON.parse(text) as Partial<Record<string, unknown>>;
    if (kind === 'text' && typeof said === 'string') return { kind, text: said };
    if (kind === 'refused' && typeof why === 'string') return { kind, why };
    return kind === 'missing' ? { kind } : null;
  } catch {
    return null;
  }
}
