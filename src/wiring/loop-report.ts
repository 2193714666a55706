import { join } from 'node:path';
import { openGitCli } from '../adapters/git/git-cli.ts';
import { readJournalFile } from '../adapters/journal/journal-file.ts';
import { loopReport } from '../core/views/report/loop-report.ts';
import { reportGithub } from '../core/views/report/report-github.ts';
import { reportJson } from '../core/views/report/report-json.ts';
import { reportMarkdown } from '../core/views/report/report-markdown.ts';
import type { EventBody } from '../model/events/journal-event.ts';
import { environment } from './environment.ts';

const TEXTS = { json: reportJson, markdown: reportMarkdown, github: reportGithub } as const;

/** What a run amounts to, from its journal, and what it has changed, from git. */
export async function loopReportText(runFolder: string, format: keyof typeof TEXTS): Promise<string> {
  const events = await readJournalFile(join(runFolder, 'journal.jsonl'));
  return TEXTS[format](loopReport(events, await changesOf(events[0]?.body)));
}

/** Null where git cannot tell. */
async function changesOf(started: EventBody | undefined): Promise<string | null> {
  if (started?.type !== 'run.started') return null;
  const tree = started.found?.tree ?? null;
  await using git = tree === null ? null : await openGitCli(started.cwd, environment());
  const changes = tree === null ? null : await git?.history.changesSince(tree);
  return changes?.stat ?? null;
}
