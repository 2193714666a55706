import type { EventBody } from '../../journal/events/journal-event.ts';
import { formatBytes, formatDuration, plural } from '../../kit/pure/amounts.ts';
import { factsOf } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { commitsByGit, leavesDirtOut } from '../../settings/schema/scm-words.ts';
import { levelRows } from './gates/proof-lines.ts';
import { type Line, span } from './line.ts';
import { row, sentence, shorten } from './look.ts';

type Found = Extract<EventBody, { type: 'run.started' }>['found'];

const autonomyText: Readonly<Record<RunSettings['agent']['autonomy'], string>> = {
  full: 'edits files and runs commands without asking',
  edits: 'edits files without asking; other tools may be refused',
  ask: 'asks before it acts, but nobody is there to answer',
};

/** What a person might want to change before the run goes on; most runs have none of it. */
export function warningRows(settings: RunSettings, found: Found): readonly Line[] {
  const { agent } = settings;
  return [
    ...(agent.autonomy === 'full' ? [] : [sentence('autonomy', span(`${agent.autonomy}: ${autonomyText[agent.autonomy]}`, 'busy'))]),
    ...(isWorthTelling(settings, found) ? [sentence('workspace', span(gitText(found, settings), 'busy'))] : []),
  ];
}

/** Every other setting of the run, for --verbose. */
export function detailRows(settings: RunSettings, { cwd, found }: { readonly cwd: string; readonly found: Found }): readonly Line[] {
  const { agent } = settings;
  return [
    ...(agent.autonomy === 'full' ? [row('autonomy', span(agent.autonomy), span(`: ${autonomyText.full}`, 'dim'))] : []),
    row('workspace', span(cwd), span(`, ${gitText(found, settings)}`, 'dim')),
    ...levelRows(settings, found?.tree != null),
    ...afterGreenRows(settings),
    moreLimitsRow(settings),
  ];
}

/** Nothing to tell in a clean repository, or of changed files that stay out of every commit. */
function isWorthTelling(settings: RunSettings, found: Found): boolean {
  // The row below `done when` has said it already.
  if (found === null) return settings.gates.length === 0 || settings.proof === undefined;
  return found.tree === null || found.problem !== null || (found.dirty_count > 0 && (isPartOfCommit(settings, found) || staysOut(settings, found)));
}

function gitText(found: Found, settings: RunSettings): string {
  if (found === null) return 'not a git repository';
  const state = found.dirty_count === 0 ? 'git, clean' : `git, ${plural(found.dirty_count, 'file')} dirty before the start (${meaningOfDirt(settings, found)})`;
  if (found.tree === null) return `git, but changes cannot be seen: ${found.problem ?? 'no reason given'}`;
  return found.problem === null ? state : `${state}, in part: ${found.problem}`;
}

/** Files that were dirty before the start are in no commit of Ralph's, unless the operator allows it. A first commit has everything. */
const staysOut = (settings: RunSettings, { head }: NonNullable<Found>) => !factsOf(settings).hasItems && head !== null && leavesDirtOut(settings.scm);

function isPartOfCommit(settings: RunSettings, found: NonNullable<Found>): boolean {
  const { place, hasItems } = factsOf(settings);
  return place !== 'worktrees' && (hasItems || (commitsByGit(settings.scm) && !staysOut(settings, found)));
}

function meaningOfDirt(settings: RunSettings, found: NonNullable<Found>): string {
  if (factsOf(settings).place === 'worktrees') return 'no task sees them';
  if (staysOut(settings, found)) return 'in no commit of Ralph';
  return isPartOfCommit(settings, found) ? 'part of the first commit' : "never counted as the agent's";
}

/** What happens after green checks; empty when nothing does. */
function afterGreenRows({ reviews, scm }: RunSettings): readonly Line[] {
  const names = reviews?.prompts.map(({ name }) => shorten(name, 60)).join(', ');
  return [
    ...(reviews ? [row('reviews', span(`${names} after every ${reviews.after === 1 ? 'green iteration' : `${reviews.after} green iterations`}`))] : []),
    ...(scm && scm.tasks.length > 0 ? [row('commits', span(`${scm.command}: ${scm.tasks.join(', ')} after each green iteration`))] : []),
  ];
}

/** 0 means off. */
const time = (ms: number) => (ms === 0 ? 'off' : formatDuration(ms));
const size = (bytes: number) => (bytes === 0 ? 'off' : formatBytes(bytes));

function moreLimitsRow({ limits, gates }: RunSettings): Line {
  const perCheck = [...new Set(gates.map((gate) => time(gate.timeoutMs)))].join('/');
  return row('limits', span(`output ${size(limits.outputBytes)}, usage-limit wait ${time(limits.limitWaitMs)}${perCheck === '' ? '' : `, check ${perCheck}`}`));
}
