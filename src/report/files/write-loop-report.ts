import { join } from 'node:path';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { readJournalFile } from '../../store/journal-file.ts';
import { openGitCli } from '../../workspace/git/git-cli.ts';
import { loopReport } from '../loop-report/loop-report.ts';
import { reportGithub } from '../loop-report/report-github.ts';
import { reportJson } from '../loop-report/report-json.ts';
import { reportMarkdown } from '../loop-report/report-markdown.ts';

const TEXTS = { json: reportJson, markdown: reportMarkdown, github: reportGithub } as const;

/** The report of a run, from its journal and from the changes that git shows. */
export async function loopReportText(runFolder: string, format: keyof typeof TEXTS): Promise<string> {
  const events = await readJournalFile(join(runFolder, 'journal.jsonl'));
  return TEXTS[format](loopReport(events, await changesOf(events[0]?.body)));
}

/** Null when git cannot tell. */
async function changesOf(started: EventBody | undefined): Promise<string | null> {
  if (started?.type !== 'run.started') return null;
  const tree = started.found?.tree ?? null;
  await using git = tree === null ? null : await openGitCli(started.cwd, environment());
  const changes = tree === null ? null : await git?.history.changesSince(tree);
  return changes?.stat ?? null;
}
