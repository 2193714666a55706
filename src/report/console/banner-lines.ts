import type { EventBody } from '../../journal/events/journal-event.ts';
import type { RunState } from '../../journal/state/state.ts';
import { formatBytes } from '../../kit/pure/amounts.ts';
import { formatDuration } from '../../kit/pure/duration.ts';
import type { LoopSpec, RunSettings } from '../../settings/schema/run-settings.ts';
import { commitsByGit } from '../../settings/schema/scm-words.ts';
import { gateWords, isLoop, isSupervised } from './gate-lines.ts';
import { type Line, line, prose, span } from './line.ts';
import { row, shorten } from './look.ts';
import { levelRows, proofRows } from './proof-lines.ts';
import type { RecipeBanner } from './recipe-screen.ts';
import { sandboxRows } from './sandbox-lines.ts';
import { costText, plural } from './spent-text.ts';

type Started = Extract<EventBody, { type: 'run.started' }>;
type Resumed = Extract<EventBody, { type: 'run.resumed' }>;

const COMMAND_CHARS = 300;

/** Every setting of the run that an operator might want to change before it costs money. */
export function bannerLines({ ralph, run, cwd, found, settings }: Started, own: RecipeBanner): readonly Line[] {
  return [
    title(ralph, `run ${run}`),
    ...loopTitle(settings),
    ...own.title(settings, 'Starting'),
    ...agentRows(settings),
    row('workspace', span(cwd), span(`, ${gitText(found, settings)}`, 'dim')),
    ...sandboxRows(settings),
    ...proofRows(settings),
    ...levelRows(settings, found?.tree != null),
    ...planRows(settings),
    ...limitRows(settings),
    ...loopRows(settings),
    ...own.rows(settings),
  ];
}

/** A resumed run keeps its settings, so the lines say only where it continues. */
export function resumedLines({ ralph }: Resumed, { run, opened, open, inFlight, startTree }: RunState, own: RecipeBanner): readonly Line[] {
  if (!run) return [];
  const noun = isSupervised(run) ? 'attempt' : 'iteration';
  const left = open.map(({ number }) => `${noun} ${number} is open`);
  const begun = inFlight.map(({ kind, iteration, attempt }) => `${kind} ${iteration}.${attempt} was running`);
  return [
    title(ralph, `run ${run.id}`),
    ...loopTitle(run.settings),
    ...own.title(run.settings, 'Resuming'),
    row('resumed', span([`${plural(opened, noun)} so far`, ...left, ...begun].join(', '))),
    ...agentRows(run.settings),
    ...sandboxRows(run.settings),
    ...proofRows(run.settings),
    ...levelRows(run.settings, startTree !== null),
    ...planRows(run.settings),
    ...limitRows(run.settings),
    ...loopRows(run.settings),
    ...own.rows(run.settings),
  ];
}

function title(version: string, run: string): Line {
  return prose(span(`Ralph ${version}`, 'strong'), span(`  ${run}`, 'dim'));
}

const autonomyText: Readonly<Record<RunSettings['agent']['autonomy'], string>> = {
  full: 'edits files and runs commands without asking',
  edits: 'edits files without asking; other tools may be refused',
  ask: 'asks before it acts, but nobody is there to answer',
};

function agentRows({ agent }: RunSettings): readonly Line[] {
  const command = shorten([agent.command, ...agent.flags].join(' '), COMMAND_CHARS);
  const kind = agent.command.includes(agent.kind) ? [] : [`speaks ${agent.kind}`];
  const details = [...kind, ...(agent.model === null ? [] : [`model ${agent.model}`])].join(', ');
  return [
    row('agent', span(command, 'strong'), span(details === '' ? '' : ` (${details})`, 'dim')),
    row('autonomy', span(agent.autonomy), span(`: ${autonomyText[agent.autonomy]}`, 'dim')),
  ];
}

function gitText(found: Started['found'], settings: RunSettings): string {
  if (found === null) return 'not a git repository';
  const state = found.dirty_count === 0 ? 'git, clean' : `git, ${plural(found.dirty_count, 'file')} dirty before the start (${meaningOfDirt(settings)})`;
  if (found.tree === null) return `git, but changes cannot be seen: ${found.problem ?? 'no reason given'}`;
  return found.problem === null ? state : `${state}, in part: ${found.problem}`;
}

function meaningOfDirt({ work, stories, scm }: RunSettings): string {
  if (work !== null) return 'no task sees them';
  return stories !== null || commitsByGit(scm) ? 'part of the first commit' : "never counted as the agent's";
}

/** What happens after green guardrails; empty when nothing does. */
function planRows({ reviews, scm }: RunSettings): readonly Line[] {
  const names = reviews?.prompts.map(({ name }) => shorten(name, 60)).join(', ');
  return [
    ...(reviews ? [row('reviews', span(`${names} after every ${reviews.after === 1 ? 'green iteration' : `${reviews.after} green iterations`}`))] : []),
    ...(scm && scm.tasks.length > 0 ? [row('commits', span(`${scm.command}: ${scm.tasks.join(', ')} after each green iteration`))] : []),
  ];
}

/** 0 means off. */
const time = (ms: number) => (ms === 0 ? 'off' : formatDuration(ms));
const size = (bytes: number) => (bytes === 0 ? 'off' : formatBytes(bytes));

function limitRows(settings: RunSettings): readonly Line[] {
  const { maximumIterations, limits, gates } = settings;
  const iterations = maximumIterations === 0 ? 'any number of iterations' : `${maximumIterations} iteration${maximumIterations === 1 ? '' : 's'}`;
  const noun = isSupervised({ settings }) ? 'run' : 'iteration';
  const perGate = [...new Set(gates.map((gate) => time(gate.timeoutMs)))].join('/');
  return [
    row('limits', span(`${isSupervised({ settings }) ? '' : `${iterations}, `}idle ${time(limits.idleMs)}, ${noun} ${time(limits.iterationMs)}`)),
    row(
      '',
      span(
        `output ${size(limits.outputBytes)}, usage-limit wait ${time(limits.limitWaitMs)}${perGate === '' ? '' : `, ${gateWords({ settings }).one} ${perGate}`}`,
      ),
    ),
  ];
}

/** `=== Ralph iteration 1/10 ===` (seed 001). */
export function iterationHeading(iteration: number, maximum: number): Line {
  return line(span(`=== Ralph iteration ${iteration}${maximum === 0 ? '' : `/${maximum}`} ===`, 'accent'));
}

const PATTERNS_CHARS = 300;

/** `Ralph Loop: 2 check(s), max 25 iterations [worktree]` (seed 004). */
function loopTitle(settings: RunSettings): readonly Line[] {
  if (!isLoop({ settings })) return [];
  const { gates, maximumIterations, loop } = settings;
  const maximum = maximumIterations === 0 ? 'any number of iterations' : `max ${maximumIterations} iterations`;
  return [prose(span(`Ralph Loop: ${gates.length} check(s), ${maximum}${loop?.worktree ? ' [worktree]' : ''}`))];
}

/** The settings that only a loop has; unused ones are not mentioned. */
function loopRows({ loop }: RunSettings): readonly Line[] {
  if (loop === null) return [];
  const { spec, worktree, protect } = loop;
  return [
    ...optional('budget', budgetText(loop)),
    ...optional('spec', spec && `${spec.path}, ${spec.follow ? 'changes count' : 'as it is now'}`),
    ...optional('worktree', worktree && `${worktree.path}, branch ${worktree.branch}`),
    ...optional('protected', protect.length === 0 ? null : shorten(protect.join(', '), PATTERNS_CHARS)),
    ...optional('verified', loop.verifyClean ? 'once more in a fresh checkout before a good end' : null),
  ];
}

function budgetText({ budget: { costUsd, timeMs } }: LoopSpec): string | null {
  return [...(costUsd === null ? [] : [costText(costUsd)]), ...(timeMs === 0 ? [] : [`${formatDuration(timeMs)} in all`])].join(', ') || null;
}

function optional(label: string, fact: string | null): readonly Line[] {
  return fact === null ? [] : [row(label, span(fact))];
}
