import * as z from '../../kit/pure/shape.ts';
import { Effect } from '../effects/effect.ts';
import { AttemptEnded, AttemptSpawned } from './attempt.ts';
import { ClaimAllowed, GatesJudged, LivingFound, PathsRestored, ProofJudged, ReceiptWritten, SealedBegun, SealedJudged } from './gates.ts';
import {
  BudgetNeared,
  IterationClosed,
  IterationOpened,
  LimitSeen,
  OperatorAsked,
  OperatorInstructed,
  QuestionAnswered,
  QuestionAsked,
  RunStarted,
  SettingsSeen,
  SpecSeen,
  WallRefused,
} from './run.ts';
import { CommandEnded, CommitMade, CommitRefused } from './scm.ts';
import { RunResumed, RunStopped } from './sitting.ts';
import { StopRefused, StoriesRecorded, StoriesSeen, StoriesSettled, TurnBegun } from './stories.ts';
import {
  ChildAsked,
  ChildRefused,
  ChildrenAwaited,
  ChildrenEnded,
  ChildrenOutlived,
  ChildrenSeen,
  ChildStarted,
  DependenciesSeen,
  DoneRefused,
  DoneSeen,
  Posted,
  TaskSeen,
} from './task.ts';
import {
  BaseBrought,
  MergeJudged,
  MergeProven,
  PlanSettled,
  PlanTroubled,
  TaskAnswered,
  TaskClaimed,
  TaskLost,
  TaskNone,
  TaskReleased,
  TasksChanged,
  TaskTaken,
  WorkspaceClosed,
  WorkspaceOpened,
} from './work.ts';

/** The one intent for all effects. It is synced to the disk before the effect touches the world. */
const EffectBegun = z.strictObject({ type: z.literal('effect.begun'), key: z.string(), effect: Effect });

/** A dead loop had begun the effect and it did not happen: it may be performed again. */
const EffectLost = z.strictObject({ type: z.literal('effect.lost'), key: z.string() });

/** The version of the journal's format. A reader refuses newer versions. */
export const JOURNAL_VERSION = 1;

/** Everything that can be written into a journal. */
export const EventBody = z.discriminatedUnion('type', [
  RunStarted,
  RunResumed,
  RunStopped,
  EffectBegun,
  EffectLost,
  IterationOpened,
  IterationClosed,
  AttemptSpawned,
  AttemptEnded,
  GatesJudged,
  LivingFound,
  ProofJudged,
  ClaimAllowed,
  SealedBegun,
  SealedJudged,
  CommitMade,
  CommitRefused,
  CommandEnded,
  PathsRestored,
  ReceiptWritten,
  LimitSeen,
  BudgetNeared,
  OperatorAsked,
  OperatorInstructed,
  WallRefused,
  SettingsSeen,
  SpecSeen,
  TaskSeen,
  DoneSeen,
  DoneRefused,
  DependenciesSeen,
  ChildAsked,
  ChildStarted,
  ChildRefused,
  ChildrenSeen,
  ChildrenAwaited,
  ChildrenOutlived,
  ChildrenEnded,
  Posted,
  TaskTaken,
  TaskNone,
  PlanTroubled,
  TaskAnswered,
  TaskClaimed,
  TaskLost,
  TasksChanged,
  WorkspaceOpened,
  WorkspaceClosed,
  PlanSettled,
  MergeProven,
  MergeJudged,
  BaseBrought,
  TaskReleased,
  StoriesSeen,
  TurnBegun,
  StoriesSettled,
  StoriesRecorded,
  QuestionAsked,
  QuestionAnswered,
  StopRefused,
]);
export type EventBody = Readonly<z.infer<typeof EventBody>>;

const FACT_TYPES = [
  'attempt.ended',
  'gates.judged',
  'living.found',
  'proof.judged',
  'commit.made',
  'commit.refused',
  'command.ended',
  'paths.restored',
  'receipt.written',
  'task.seen',
  'done.refused',
  'child.started',
  'child.refused',
  'children.ended',
  'posted',
  'task.taken',
  'task.none',
  'plan.troubled',
  'workspace.opened',
  'workspace.closed',
  'plan.settled',
  'merge.judged',
  'base.brought',
  'task.released',
  'task.answered',
  'stories.seen',
  'stories.settled',
  'stories.recorded',
] as const satisfies readonly EventBody['type'][];

/** The result of an effect. It names the effect's key and ends its time in flight. */
export type Fact = Extract<EventBody, { type: (typeof FACT_TYPES)[number] }>;

const factTypes: ReadonlySet<string> = new Set(FACT_TYPES);
export const isFact = (body: EventBody): body is Fact => factTypes.has(body.type);

/** The fields in front of every event body. */
export const Envelope = z.object({ v: z.number().int(), seq: z.number().int().positive(), at: z.number(), type: z.string() });

/** One line of a journal: numbered without gaps, with a time that never decreases. */
export interface JournalEvent {
  readonly v: number;
  readonly seq: number;
  readonly at: number;
  readonly body: EventBody;
}
