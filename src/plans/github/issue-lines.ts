import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { GithubIssue } from './gh.ts';

/** A line of the plan. What Ralph, an agent or a person has added to it stays. */
type Line = Readonly<Record<string, unknown>>;

/** What the plan says after a look at GitHub. */
export interface Merged {
  readonly text: string;
  /** Done in the plan and open on GitHub. */
  readonly toClose: readonly GithubIssue[];
  readonly open: number;
}

/**
 * The plan with the issues of GitHub: one line each, in the form of beads. An issue that is done only in the plan is to be closed. One that was closed there
 * and is open again was reopened by somebody, and is open in the plan too. Lines of tasks that are no issues stay as they are.
 */
export function mergeIssues(text: string, issues: readonly GithubIssue[]): Merged {
  const lines = linesIn(text);
  const known = new Map(lines.map((line) => [line['id'], line]));
  // What was done before Ralph came is no part of the plan.
  const wanted = issues.filter(({ number, state }) => state === 'OPEN' || known.has(idOf(number)));
  const ids = new Set([...known.keys(), ...wanted.map(({ number }) => idOf(number))]);
  const merged = wanted.map((issue) => lineOf(issue, known.get(idOf(issue.number)), ids));
  const others = lines.filter(({ id }) => !wanted.some(({ number }) => idOf(number) === id));
  const toClose = wanted.filter(({ number, state }) => state === 'OPEN' && isDoneHere(known.get(idOf(number))));
  const all = [...merged, ...others];
  return { text: all.map((line) => `${JSON.stringify(line)}\n`).join(''), toClose, open: all.filter(({ status }) => status !== 'closed').length };
}

export const idOf = (number: number) => `gh-${number}`;

/** Closed by a run, and not yet on GitHub. */
const isDoneHere = (line: Line | undefined) => line?.['status'] === 'closed' && line['closed_on_github'] !== true;

function lineOf(issue: GithubIssue, old: Line | undefined, ids: ReadonlySet<unknown>): Line {
  const { number, title, body, labels, url, state } = issue;
  const isClosed = state === 'CLOSED' || isDoneHere(old);
  const needs = neededBy(issue).filter((id) => ids.has(id));
  const statusHere = old?.['closed_on_github'] === true ? 'open' : (old?.['status'] ?? 'open');
  return {
    ...old,
    id: idOf(number),
    title,
    description: body,
    status: isClosed ? 'closed' : statusHere,
    issue_type: 'task',
    labels: labels.map(({ name }) => name),
    external_ref: url,
    closed_on_github: isClosed,
    ...(needs.length > 0 ? { dependencies: needs.map((id) => ({ depends_on_id: id, type: 'blocks' })) } : {}),
  };
}

/** `Depends on #12`, `blocked by #12` or `after #12` in its text. */
function neededBy({ number, body }: GithubIssue): readonly string[] {
  const numbers = [...body.matchAll(/\b(?:depends on|blocked by|after) #(\d+)/gi)].map(([, digits]) => Number(digits));
  return [...new Set(numbers)].filter((each) => each !== number).map(idOf);
}

function linesIn(text: string): readonly Line[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as Line];
    } catch {
      throw new OperatorError('plan-broken', `line ${index + 1} of the plan is no JSON`, { hint: 'ralph task check --plan FILE says more.', exitCode: 2 });
    }
  });
}
