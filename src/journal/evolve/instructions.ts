import { budgetOf, factsOf, withBudget } from '../../settings/schema/recipe-facts.ts';
import type { Effect } from '../effects/effect.ts';
import type { JournalEvent } from '../events/journal-event.ts';
import type { OperatorInstructed } from '../events/run.ts';
import { type GivenInstruction, isNoteFor } from '../state/instructions.ts';
import type { OpenIteration, RunState } from '../state/state.ts';
import type { Instruction } from '../words/instruction.ts';
import { withQuestions } from './questions.ts';

const MOST_INSTRUCTIONS = 50;

/** Takes effect at once, but for texts, which wait for a prompt, and for tasks that somebody holds or whose registers must be freed first. */
export function afterInstruction(state: RunState, { instruction, by }: OperatorInstructed, atMs: number): RunState {
  const given: GivenInstruction = { instruction, by, atMs, appliedAtMs: isAtOnce(instruction, state) ? atMs : null };
  const next = { ...state, instructions: [...(state.instructions ?? []), given].slice(-MOST_INSTRUCTIONS) };
  switch (instruction.kind) {
    case 'note':
      return next;
    case 'again':
      return afterRetry(withAgent(withoutSkip(next, instruction.task), instruction), instruction, { by, atMs });
    case 'skip':
      return withSkip(next, instruction.task, by);
    case 'budget':
      return afterCostLimit(next, instruction.usd);
  }
}

function isAtOnce(instruction: Instruction, { open, tasks, run }: RunState): boolean {
  if (instruction.kind === 'note') return false;
  if (instruction.kind === 'again') return instruction.task === null || !factsOf(run?.settings).hasTasks;
  if (instruction.kind !== 'skip') return true;
  return tasks.taken?.task.id !== instruction.task && open.every((iteration) => taskOf(iteration) !== instruction.task);
}

const taskOf = ({ currentTask, turn }: OpenIteration): string | null => currentTask?.task.id ?? turn?.story ?? null;

type Retry = Extract<Instruction, { kind: 'again' }>;

/** Tasks of a plan are freed in their registers. What else was held for a person goes on with what the person says. */
function afterRetry(state: RunState, { task, text }: Retry, answered: { readonly by: string; readonly atMs: number }): RunState {
  if (factsOf(state.run?.settings).hasTasks) return state;
  if (task === null) return { ...state, unacceptedClaims: [] };
  const answer = text ?? 'Try it again.';
  return withQuestions(state, (question) => (question.task === task && question.answer === null ? { ...question, answer, answered } : question));
}

function withAgent(state: RunState, { task, agent }: Retry): RunState {
  return agent === null ? state : { ...state, preferredAgents: { ...state.preferredAgents, [task ?? '']: agent } };
}

function withSkip(state: RunState, task: string, by: string): RunState {
  const open = state.open.map((iteration) =>
    iteration.currentTask?.task.id === task && iteration.currentTask.released === null
      ? { ...iteration, currentTask: { ...iteration.currentTask, abandonedBecause: iteration.currentTask.abandonedBecause ?? `${by} skipped it` } }
      : iteration,
  );
  const skipped = [...new Set([...(state.tasks.skipped ?? []), task])];
  return { ...state, open, tasks: { ...state.tasks, skipped, noTask: null } };
}

function withoutSkip(state: RunState, task: string | null): RunState {
  const { skipped = [] } = state.tasks;
  return task === null || !skipped.includes(task) ? state : { ...state, tasks: { ...state.tasks, skipped: skipped.filter((each) => each !== task) } };
}

/** Whoever reads the settings of the run from here on, also after a resume, sees the new limit. The warning that most of it is spent is due again. */
function afterCostLimit({ budgetNearMs: _, ...state }: RunState, costUsd: number): RunState {
  if (state.run === null) return state;
  const { settings } = state.run;
  return { ...state, run: { ...state.run, settings: withBudget(settings, { ...budgetOf(settings), costUsd }) } };
}

/** Marks what this event has carried out. */
export function afterCarriedOut(before: RunState, next: RunState, { body, at }: JournalEvent): RunState {
  if (before.instructions === undefined) return next;
  if (body.type === 'effect.begun') return afterTold(next, body.effect, at);
  if (body.type === 'attempt.ended') return body.verdict === 'limited' || body.verdict === 'lost' ? afterUntold(next, body.key) : next;
  if (body.type === 'effect.lost') return afterUntold(next, body.key);
  if (body.type === 'task.answered')
    return withGiven(next, (given) => (`again:${body.task}@${given.atMs}` === body.key ? { ...given, appliedAtMs: at } : given));
  if (body.type === 'iteration.closed') return afterLeft(next, before.open.find(({ number }) => number === body.iteration) ?? null, at);
  return next;
}

function afterTold(state: RunState, effect: Effect, at: number): RunState {
  if (effect.kind !== 'run-agent' || effect.notes === undefined) return state;
  const about = aboutOf(effect);
  return withGiven(state, (given) =>
    isNoteFor(about, given) ? { ...given, told: effect.key, appliedAtMs: given.appliedAtMs ?? appliedNow(given, at) } : given,
  );
}

/** Its agent has not worked with it, so the next one is told. */
function afterUntold(state: RunState, key: string): RunState {
  return withGiven(state, (given) => (given.told === key ? untold(given) : given));
}

function afterLeft(state: RunState, closed: OpenIteration | null, at: number): RunState {
  if (closed === null) return state;
  const isLeft = ({ instruction, appliedAtMs }: GivenInstruction) => {
    return instruction.kind === 'skip' && appliedAtMs === null && taskOf(closed) === instruction.task;
  };
  return withGiven(state, (given) => (isLeft(given) ? { ...given, appliedAtMs: at } : given));
}

/** A retry is carried out when the task is free again, not when its text is told. */
const appliedNow = ({ instruction }: GivenInstruction, at: number) => (instruction.kind === 'note' ? at : null);

function untold({ told: _, ...given }: GivenInstruction): GivenInstruction {
  return given.instruction.kind === 'note' ? { ...given, appliedAtMs: null } : given;
}

function withGiven(state: RunState, change: (given: GivenInstruction) => GivenInstruction): RunState {
  return state.instructions === undefined ? state : { ...state, instructions: state.instructions.map(change) };
}

const aboutOf = ({ work, turn }: Extract<Effect, { kind: 'run-agent' }>): string | null => work?.task.id ?? turn?.story.id ?? null;
