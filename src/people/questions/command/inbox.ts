import { currentDirectory } from '../../../cli/shared/flags.ts';
import { formatDuration } from '../../../kit/pure/amounts.ts';
import { mostInformativeLine, printable, truncateCodePoints } from '../../../kit/pure/text.ts';
import { io } from '../../../process/io.ts';
import { agentSaid } from '../../../report/needs/agent-said.ts';
import { needView } from '../../../report/needs/needs.ts';
import { type Inbox, type InboxItem, type PastQuestion, readInbox } from '../read-inbox.ts';

interface InboxFlags {
  readonly all?: boolean;
  readonly json?: boolean;
}

/** Exit code 0 also when nothing waits: an empty inbox is good news. */
export async function inboxCommand({ all = false, json = false }: InboxFlags): Promise<number> {
  const inbox = await readInbox(currentDirectory(), { all });
  io().stdout.write(json ? `${JSON.stringify(inboxJson(inbox, all))}\n` : `${inboxLines(inbox, Date.now()).join('\n')}\n`);
  return 0;
}

function inboxJson({ items, answered, unreadable }: Inbox, all: boolean) {
  return {
    needs: items.map(({ recipe, state, runsFolder: _, ...need }) => ({ ...needView(need), recipe, run_state: state })),
    ...(all && { answered: answered.map(answeredJson) }),
    unreadable_runs: unreadable,
  };
}

function answeredJson({ run, question: { task, iteration, text, askedAtMs, answer, answered } }: PastQuestion) {
  return { run_id: run, task, iteration, question: text, since: askedAtMs, answer, answered_by: answered?.by ?? null, answered_at: answered?.atMs ?? null };
}

/** For people: each item with its own words and the command to copy. */
export function inboxLines({ items, answered, unreadable }: Inbox, nowMs: number): readonly string[] {
  const count = items.length === 1 ? '1 thing waits for you.' : `${items.length} things wait for you.`;
  return [
    items.length === 0 ? 'Nothing waits for you.' : count,
    ...items.flatMap((item) => ['', ...itemLines(item, nowMs)]),
    ...(answered.length === 0 ? [] : ['', 'Answered:', ...answered.flatMap(pastLines)]),
    ...(unreadable.length === 0 ? [] : ['', `These runs cannot be read: ${unreadable.map(printable).join(', ')}`]),
  ];
}

const MOST_LINES = 12;
const LINE_CHARS = 300;

function itemLines({ kind, run, task, recipe, text, said, sinceMs, command }: InboxItem, nowMs: number): readonly string[] {
  const about = task === null ? '' : `, ${printable(task)}`;
  const words = agentSaid(said, text);
  return [
    `${kind}: run ${run} (${recipe})${about}, for ${formatDuration(Math.max(0, nowMs - sinceMs))}`,
    ...shown(kind, text).map((line) => `  ${line}`.trimEnd()),
    ...(words === null ? [] : [`  ${printable(words)}`]),
    `  ${printable(command)}`,
  ];
}

/** The whole question; of anything else the line that tells most. */
function shown(kind: InboxItem['kind'], text: string): readonly string[] {
  const lines = kind === 'question' || kind === 'held' ? text.trim().split('\n').slice(0, MOST_LINES) : [mostInformativeLine(text)];
  return lines.filter((line) => line !== '').map((line) => printable(truncateCodePoints(line, LINE_CHARS, '…')));
}

function pastLines({ run, question: { task, text, answer, answered } }: PastQuestion): readonly string[] {
  const one = (words: string) => printable(truncateCodePoints(words.trim().split('\n')[0] ?? '', LINE_CHARS, '…'));
  return [`  run ${run}${task === null ? '' : `, ${printable(task)}`}: ${one(text)}`, `    ${answered?.by ?? 'somebody'}: ${one(answer ?? '')}`];
}
