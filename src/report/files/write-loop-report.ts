import { environment } from '../../sandbox/environment/environment.ts';
import { openGitCli } from '../../workspace/git/git-cli.ts';
import type { RunHistory } from '../history/run-history.ts';
import { loopReport } from '../loop-report/loop-report.ts';
import { reportGithub } from '../loop-report/report-github.ts';
import { reportJson } from '../loop-report/report-json.ts';
import { reportMarkdown } from '../loop-report/report-markdown.ts';
import { readHistory } from './read-history.ts';

const TEXTS = { json: reportJson, markdown: reportMarkdown, github: reportGithub } as const;

/** The report of a run, from its journal and from the changes that git shows. */
export async function loopReportText(runFolder: string, format: keyof typeof TEXTS): Promise<string> {
  const history = await readHistory(runFolder);
  return TEXTS[format](loopReport(history, await changesOf(history.started)));
}

/** Null when git cannot tell. */
async function changesOf(started: RunHistory['started']): Promise<string | null> {
  if (started === null) return null;
  const tree = started.found?.tree ?? null;
  await using git = tree === null ? null : await openGitCli(started.cwd, environment());
  const changes = tree === null ? null : await git?.history.changesSince(tree);
  return changes?.stat ?? null;
}
