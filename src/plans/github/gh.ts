import { OperatorError } from '../../kit/pure/operator-error.ts';
import { capture } from '../../process/capture.ts';

/** An issue as `gh issue list --json` prints it. */
export interface GithubIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: 'OPEN' | 'CLOSED';
  readonly labels: readonly { readonly name: string }[];
  readonly url: string;
}

/** Which issues belong to the plan. */
export interface IssueFilter {
  readonly label: string | null;
  readonly milestone: string | null;
}

export interface GhPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const FIELDS = 'number,title,body,state,labels,url';
/** The newest. */
export const MOST_ISSUES = 500;
const TIMEOUT_MS = 120_000;

/** Open and closed issues, the oldest first. */
export async function listIssues({ label, milestone }: IssueFilter, place: GhPlace): Promise<readonly GithubIssue[]> {
  const filter = [...(label === null ? [] : ['--label', label]), ...(milestone === null ? [] : ['--milestone', milestone])];
  const text = await gh(['issue', 'list', '--state', 'all', '--limit', `${MOST_ISSUES}`, '--json', FIELDS, ...filter], place);
  return issuesIn(text).toSorted((one, other) => one.number - other.number);
}

export async function closeIssue(number: number, comment: string, place: GhPlace): Promise<void> {
  await gh(['issue', 'close', `${number}`, '--comment', comment], place);
}

function issuesIn(text: string): readonly GithubIssue[] {
  try {
    const issues: unknown = JSON.parse(text);
    if (Array.isArray(issues) && issues.every((issue) => typeof issue?.number === 'number' && typeof issue.title === 'string')) return issues;
  } catch {}
  throw new OperatorError('gh-failed', 'gh issue list printed no list of issues', { hint: 'Try it by hand: gh issue list --json number,title', exitCode: 2 });
}

/** What gh answers with when it needs a login. */
const NO_LOGIN = 4;

async function gh(args: readonly string[], { cwd, env }: GhPlace): Promise<string> {
  const { started, code, stdout, stderr } = await capture({
    file: 'gh',
    args,
    cwd,
    env: { ...env, GH_PROMPT_DISABLED: '1', NO_COLOR: '1' },
    timeoutMs: TIMEOUT_MS,
  });
  if (code === 0) return stdout;
  if (!started)
    throw new OperatorError('gh-missing', 'gh, the command line of GitHub, is not on PATH', { hint: 'Install it, then log in: gh auth login', exitCode: 4 });
  if (code === NO_LOGIN) throw new OperatorError('gh-no-login', 'gh is not logged in to GitHub', { hint: 'Log in: gh auth login', exitCode: 4 });
  const why = stderr.trim().split('\n')[0] || `exit ${code}`;
  throw new OperatorError('gh-failed', `gh ${args.slice(0, 2).join(' ')} failed: ${why}`, {
    hint: 'gh auth status and gh repo view say whether gh knows this repository.',
    exitCode: 2,
  });
}
