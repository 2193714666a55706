import { currentDirectory } from '../../../cli/shared/flags.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { shellQuote } from '../../../kit/pure/shell-words.ts';
import { printable } from '../../../kit/pure/text.ts';
import { io } from '../../../process/io.ts';
import { environment } from '../../../sandbox/environment/environment.ts';
import { MOST_ISSUES } from '../gh.ts';
import { type Synced, syncIssues, USUAL_FILE } from '../sync-issues.ts';

interface GithubFlags {
  readonly label?: string;
  readonly milestone?: string;
  readonly plan?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export async function planGithubCommand({ label, milestone, plan, dryRun, json }: GithubFlags): Promise<number> {
  if (label === undefined && milestone === undefined) throw noFilter();
  const path = plan ?? USUAL_FILE;
  const request = { label: label ?? null, milestone: milestone ?? null, path, dryRun: dryRun ?? false };
  const { isCut, ...synced } = await syncIssues(request, { cwd: currentDirectory(), env: environment() });
  if (isCut)
    io().stderr.write(`warning: Ralph reads the newest ${MOST_ISSUES} issues, open and closed, and there are as many: name a label or milestone with fewer\n`);
  const lines = json ? [JSON.stringify({ plan: path, ...synced })] : linesOf(path, synced, request.dryRun);
  io().stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

function linesOf(path: string, { open, closed, written }: Omit<Synced, 'isCut'>, dryRun: boolean): readonly string[] {
  const file = shellQuote(path);
  return [
    ...closed.map(
      ({ number, title, commit }) => `${dryRun ? 'Would close' : 'Closed'} #${number} ${printable(title)}${commit === null ? '' : ` (${commit.slice(0, 7)})`}`,
    ),
    `${path}: ${open} open ${open === 1 ? 'issue' : 'issues'}`,
    ...(written ? [`Commit it: git add ${file} && git commit -m "plan: issues"`] : []),
    ...(open > 0 ? [`Then: ralph work --plan ${file}`] : []),
  ];
}

function noFilter(): OperatorError {
  return new OperatorError('usage', 'ralph plan github needs --label or --milestone', {
    hint: 'For example: ralph plan github --label ralph',
    exitCode: 2,
  });
}
