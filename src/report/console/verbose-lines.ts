import type { Effect, RunAgent } from '../../journal/effects/effect.ts';
import { endingText } from '../../journal/ending-text.ts';
import type { AttemptEnded, Ending } from '../../journal/events/attempt.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import { isStoryEvent, isTaskEvent, isWorkEvent, type StoryEvent } from '../../journal/events/recipe-events.ts';
import type { CommandEnded } from '../../journal/events/scm.ts';
import type { StartedRun } from '../../journal/state/state.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { oneLine, truncateCodePoints } from '../../kit/pure/text.ts';
import { agentNamed } from '../../limits/agents.ts';
import { lastIterationNumber } from '../../limits/retry-policy.ts';
import { reviewAgentOf, taskSpecOf } from '../../settings/schema/recipe-facts.ts';
import type { GateSpec, RunSettings, SuperviseSpec } from '../../settings/schema/run-settings.ts';
import { capital, type GateWords } from './gates/gate-lines.ts';
import { type Line, prose, span } from './line.ts';
import { type Change, shorten } from './look.ts';
import { commandText } from './scm-lines.ts';
import { secondsText } from './spent-text.ts';

const PROMPT_CHARS = 200;
const VALUE_CHARS = 1000;
const COMMAND_CHARS = 5000;

/** `[ralph] …` (seed 001). */
export function verboseLine(text: string): Line {
  return prose(span(`[ralph] ${text}`, 'dim'));
}

/** The effective settings, after all files and flags. Only the beginning of the prompt: it may be very long. */
function verboseSettingsLines(sources: readonly string[], settings: RunSettings): readonly Line[] {
  const { prompt } = settings;
  const task = taskSpecOf(settings);
  const shown = prompt.from === 'text' ? { ...prompt, text: beginning(prompt.text) } : prompt;
  const brief = (_key: string, value: unknown) => (typeof value === 'string' ? truncateCodePoints(value, VALUE_CHARS, '...') : value);
  return [
    ...sources.map((file) => verboseLine(`Loading settings from ${file}`)),
    verboseLine(`Settings: ${JSON.stringify({ ...settings, prompt: shown, ...(task && { supervise: withoutValues(task) }) }, brief)}`),
  ];
}

/** Values for an agent's environment may be secrets. */
const withoutValues = (task: SuperviseSpec) => ({ ...task, env: Object.keys(task.env) });

function verboseSpawnedLines({ pid, command, prompt_head }: Extract<EventBody, { type: 'attempt.spawned' }>): readonly Line[] {
  return [
    ...(command.length === 0 ? [] : [verboseLine(`Agent command: ${shorten(oneLine(command.map(shellQuote).join(' ')), COMMAND_CHARS)}`)]),
    ...(prompt_head === '' ? [] : [verboseLine(`Prompt: ${beginning(prompt_head)}`)]),
    verboseLine(`Agent started (pid ${pid})`),
  ];
}

export function verboseGateStartedLines({ command }: GateSpec, { one }: GateWords): readonly Line[] {
  return [verboseLine(`Running ${one}: ${command}`)];
}

export function verboseGateEndedLines({ ending, duration_ms }: GateResult, { one }: GateWords): readonly Line[] {
  return [verboseLine(`${capital(one)} ${howItExited(ending)} (${secondsText(duration_ms)})`)];
}

/** Only a work attempt can claim to be done, so only that is checked for a claim. */
function verboseAttemptLines({ role, claim, unknown_lines, duration_ms }: AttemptEnded, events: number): readonly Line[] {
  const took = verboseLine(`Agent ran for ${secondsText(duration_ms)}`);
  if (role === 'message') return [took];
  const stats = verboseLine(`stream stats: ${events} events, ${unknown_lines} errors`);
  if (role !== 'work') return [stats, took];
  return [
    stats,
    took,
    verboseLine(claim ? `Checking completion: "${shorten(claim.text, 60)}" claimed by ${claim.by}` : 'Checking completion: nothing claimed'),
  ];
}

function verboseCommandBegunLines(argv: readonly string[]): readonly Line[] {
  return [verboseLine(`Running SCM task: ${commandText(argv)}`)];
}

function verboseCommandEndedLines({ ending, duration_ms }: CommandEnded): readonly Line[] {
  return [verboseLine(`SCM task ${howItExited(ending)} (${secondsText(duration_ms)})`)];
}

function verboseCommitLines(tookMs: number): readonly Line[] {
  return [verboseLine(`The commit took ${secondsText(tookMs)}`)];
}

function beginning(text: string): string {
  return oneLine(truncateCodePoints(text, PROMPT_CHARS, '...'));
}

function howItExited(ending: Ending): string {
  return ending.kind === 'exited' ? `exited with code ${ending.code}` : endingText(ending);
}

const REASON_CHARS = 1000;

/** Details for troubleshooting: those of each event, and how long each operation took. */
export interface VerboseFeed {
  hear(event: JournalEvent, change: Change, streamEvents: number): readonly Line[];
}

export function openVerboseFeed(): VerboseFeed {
  /** Start times of running commits: their facts do not say how long they took. */
  const begunMs = new Map<string, number>();

  function committed(key: string, atMs: number): readonly Line[] {
    const startMs = begunMs.get(key);
    begunMs.delete(key);
    return startMs === undefined ? [] : verboseCommitLines(atMs - startMs);
  }

  function begun(effect: Effect, { state, atMs }: Change): readonly Line[] {
    if (effect.kind === 'commit') begunMs.set(effect.key, atMs);
    if (effect.kind === 'run-command') return verboseCommandBegunLines(effect.argv);
    return effect.kind === 'run-agent' ? [verboseLine(`Running agent: ${commandOf(effect, state.run)}`)] : [];
  }

  return { hear: (event, change, streamEvents) => detailLines(event, change, streamEvents, { begun, committed }) };
}

/** A story may be reviewed by another agent than the one that implements it. */
function commandOf({ turn, agent }: RunAgent, run: StartedRun | null): string {
  const reviewer = run && turn?.mode === 'review' ? reviewAgentOf(run.settings) : null;
  return (reviewer ?? (run && agentNamed(run.settings, agent)))?.command ?? '';
}

function storyLines(body: StoryEvent): readonly Line[] {
  if (body.type === 'stop.refused')
    return [verboseLine(`Stop ${body.let_go ? 'allowed' : 'refused'} (${body.blocks} in a row): ${shorten(body.reason, REASON_CHARS)}`)];
  if (body.type === 'stories.recorded') return body.commit === null ? [] : [verboseLine(`tasks.json committed as ${body.commit}`)];
  return body.type === 'turn.begun' ? [verboseLine(`${body.mode} of ${body.story}, from ${body.head}`)] : [];
}

interface Operations {
  readonly begun: (effect: Effect, change: Change) => readonly Line[];
  readonly committed: (key: string, atMs: number) => readonly Line[];
}

function detailLines({ body, at }: JournalEvent, change: Change, streamEvents: number, { begun, committed }: Operations): readonly Line[] {
  if (isTaskEvent(body)) return body.type === 'task.seen' ? [verboseLine(`Task folder: DONE ${body.done.kind}, ${body.children.length} children running`)] : [];
  if (isWorkEvent(body)) return [];
  if (isStoryEvent(body)) return storyLines(body);
  switch (body.type) {
    case 'run.started':
      return verboseSettingsLines(body.sources, body.settings);
    case 'run.resumed':
      return change.state.run ? verboseSettingsLines([], change.state.run.settings) : [];
    case 'iteration.opened':
      return [verboseLine(`Iteration ${body.iteration}/${lastIterationNumber(change.state)} starting`)];
    case 'effect.begun':
      return begun(body.effect, change);
    case 'attempt.spawned':
      return verboseSpawnedLines(body);
    case 'attempt.ended':
      return verboseAttemptLines(body, streamEvents);
    case 'commit.made':
    case 'commit.refused':
      return committed(body.key, at);
    case 'command.ended':
      return verboseCommandEndedLines(body);
    case 'iteration.closed':
      return body.accepted ? [] : [verboseLine('No completion detected, continuing')];
    case 'limit.seen':
      return [verboseLine(`Usage limit announced${body.window === null ? '' : ` (${body.window})`}`)];
    case 'effect.lost':
    case 'gates.judged':
    case 'living.found':
    case 'proof.judged':
    case 'claim.allowed':
    case 'sealed.begun':
    case 'sealed.judged':
    case 'operator.asked':
    case 'operator.instructed':
    case 'question.asked':
    case 'question.answered':
    case 'paths.restored':
    case 'receipt.written':
    case 'settings.seen':
    case 'spec.seen':
    case 'budget.neared':
    case 'wall.refused':
    case 'run.stopped':
      return [];
    default:
      return assertNever(body);
  }
}
