import { dirname, join } from 'node:path';
import { JOURNAL_VERSION, type JournalEvent } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import type { AskedQuestion } from '../../journal/state/questions.ts';
import type { RunState } from '../../journal/state/state.ts';
import { howToResume } from '../../journal/words/outcome.ts';
import { TaskRegister } from '../../journal/words/task-register.ts';
import { registerName } from '../../plans/graph/standing.ts';
import { NEED_KINDS, type Need, needsOf } from '../../report/needs/needs.ts';
import { type RunWithStatus, runsWithStatusIn, stateOfRun } from '../../runs/manage/find-run.ts';
import { runsFolders } from '../../runs/manage/runs-folders.ts';
import { unreadAnswersIn } from '../../runs/unread-answers.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { planPathOf } from '../../settings/schema/recipe-facts.ts';
import { openFileRegisters } from '../../store/registers-files.ts';
import type { RunSummary } from '../../store/runs/run-summary.ts';
import { keptFileRefs } from '../../workspace/run-ends.ts';

/** A need, and the run it is in. */
export interface InboxItem extends Need {
  readonly recipe: string;
  readonly runsFolder: string;
  readonly state: RunWithStatus['state'];
}

/** A question that has its answer. */
export interface PastQuestion {
  readonly run: string;
  readonly question: AskedQuestion;
}

export interface Inbox {
  readonly items: readonly InboxItem[];
  readonly answered: readonly PastQuestion[];
  /** Runs that cannot be read. */
  readonly unreadable: readonly string[];
}

interface Known {
  readonly sight: RunSummary;
  readonly state: RunWithStatus['state'];
  readonly now: RunState;
}

/** What waits for a person in the runs that can be found from here: the newest run first, and in each run what lets most work go on. */
export async function readInbox(cwd: string, { all }: { readonly all: boolean }): Promise<Inbox> {
  return await inboxOf(await runsWithStatusIn(await runsFolders(cwd)), { all, stateOf: stateOfRun, kept: () => keptFileRefs(cwd, environment()) });
}

interface InboxOptions {
  /** Also the runs that are done, and questions that have their answer. */
  readonly all: boolean;
  readonly stateOf: (sight: RunSummary) => Promise<RunState | null>;
  /** The refs that keep what could not land, by run. */
  readonly kept: () => Promise<ReadonlyMap<string, ReadonlySet<string>>>;
}

/** The same for runs that are known already, newest first. */
export async function inboxOf(runs: readonly RunWithStatus[], { all, stateOf, kept: keptRefs }: InboxOptions): Promise<Inbox> {
  const unreadable = runs.flatMap(({ sight }) => (sight.kind === 'unreadable' ? [sight.run] : []));
  const items: InboxItem[] = [];
  const answered: PastQuestion[] = [];
  const places = new Set<string>();
  const kept = await keptRefs();
  for (const run of runs) {
    const isNewest = isFirstOfItsKind(run, places);
    const known = all || run.state !== 'done' || kept.has(run.sight.run) ? await read(run, stateOf) : null;
    if (known === null) continue;
    const isKept = ({ kind, command }: Need) => kind !== 'kept' || [...(kept.get(run.sight.run) ?? [])].some((ref) => command.includes(` ${ref} `));
    items.push(...(await openItems(known, isNewest)).filter(isKept));
    answered.push(...known.now.questions.filter(({ answer }) => answer !== null).map((question) => ({ run: known.sight.run, question })));
  }
  return { items, answered: all ? answered : [], unreadable };
}

/** A later run of the same kind in the same place is the next try, so what the earlier one got stuck at is over. */
function isFirstOfItsKind({ sight }: RunWithStatus, places: Set<string>): boolean {
  if (sight.kind !== 'run') return false;
  const place = JSON.stringify([sight.recipe, sight.origin || sight.cwd, sight.task?.folder ?? null]);
  const isFirst = !places.has(place);
  places.add(place);
  return isFirst;
}

/** The state of a run as it will be once it has read the answers in its inbox. Children belong to their parents, and are left out. */
async function read({ sight, state, parent }: RunWithStatus, stateOf: InboxOptions['stateOf']): Promise<Known | null> {
  if (sight.kind !== 'run' || parent !== null) return null;
  const now = await stateOf(sight);
  if (now === null) return null;
  const left = await unreadAnswersIn(join(sight.folder, 'inbox'));
  const events = left.map(({ event: body }, index): JournalEvent => ({ v: JOURNAL_VERSION, seq: index + 1, at: now.time.lastMs, body }));
  return { sight, state, now: events.reduce(evolve, now) };
}

/** Over as soon as somebody has started the next run. */
const OF_THE_RUN: ReadonlySet<Need['kind']> = new Set(['stuck', 'dead', 'login']);

async function openItems({ sight, state, now }: Known, isNewest: boolean): Promise<readonly InboxItem[]> {
  const needs = await stillOpen(needsOf(now), sight, now);
  const died = needs.length === 0 && state === 'dead' ? [deathOf(sight)] : [];
  const shown = [...needs, ...died].filter(({ kind, task }) => task !== null || !OF_THE_RUN.has(kind) || isNewest);
  const ranked = NEED_KINDS.flatMap((kind) => shown.filter((need) => need.kind === kind));
  return ranked.map((need) => ({ ...need, recipe: sight.recipe, runsFolder: sight.runsFolder, state }));
}

function deathOf({ run, lastAtMs }: RunSummary): Need {
  const text = 'Its process is gone, and nobody has recorded why.';
  return { kind: 'stuck', run, task: null, iteration: 0, text, sinceMs: lastAtMs, command: howToResume(run) };
}

/** A task of a plan may have been reset, or finished by another run, since. Its register tells. */
export async function stillOpen(needs: readonly Need[], { run, folder }: RunSummary, { run: started }: RunState): Promise<readonly Need[]> {
  const plan = planPathOf(started?.settings);
  if (plan === undefined || needs.every(({ task }) => task === null)) return needs;
  const registers = openFileRegisters(join(dirname(dirname(folder)), 'registers'));
  const found = await registers.getMany(needs.flatMap(({ task }) => (task === null ? [] : [registerName(plan, task)])));
  return needs.filter(({ task }) => {
    const register = task === null ? null : TaskRegister.safeParse(found.get(registerName(plan, task))?.value).data;
    return !register || (register.holder?.run === run && register.state !== 'free' && register.state !== 'done');
  });
}
