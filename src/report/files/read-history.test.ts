import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { whyNotParsed } from '../../../test/docs/parse-command.ts';
import { historyOf } from '../../../test/support/history-of.ts';
import { journalPath, recordedNames } from '../../../test/support/recorded-journals.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { buildProgram, loadCommands } from '../../cli/program.ts';
import { splitWords } from '../../kit/pure/shell-words.ts';
import { readJournalFile, streamJournalFile } from '../../store/journal-file.ts';
import { reportPageHtml } from '../run-report/report-page-html.ts';
import { reportPageMarkdown } from '../run-report/report-page-markdown.ts';
import { runReport } from '../run-report/run-report.ts';
import { runView } from '../views/run-view.ts';

const when = (atMs: number) => `${atMs}`;

async function streamed(path: string) {
  const events = [];
  for await (const event of streamJournalFile(path)) events.push(event);
  return events;
}

describe('the report of every recorded run', () => {
  const commands = loadCommands();

  it.each(recordedNames())('has the numbers of its status, parts that add up, and commands that exist: %s', async (name) => {
    const history = historyOf(await readJournalFile(journalPath(name)));
    const view = runView(history.state, history.lastMs);
    const report = runReport(history, { status: history.state.stopped === null ? 'dead' : 'stopped', runFolder: '/runs' });
    const { totals, by_task, by_agent } = report;
    expect(totals).toMatchObject({ iterations: view.iterations, attempts: view.attempts, cost_usd: view.cost_usd, tokens: view.tokens, tools: view.tools });
    for (const parts of [by_task, by_agent]) {
      expect(parts.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(totals.attempts);
      expect(parts.reduce((sum, { tokens }) => sum + tokens.output, 0)).toBe(totals.tokens.output);
      if (totals.cost_usd !== null) expect(parts.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0)).toBeCloseTo(totals.cost_usd);
    }
    expect(by_task.reduce((sum, { iterations }) => sum + iterations, 0)).toBe(totals.iterations);
    expect(report.proven.length + report.not_proven.length).toBeGreaterThanOrEqual(by_task.length);
    expect(reportPageMarkdown(report, when)).toContain(report.run_id);
    expect(reportPageHtml(report, when)).toContain('</html>');
    for (const { command } of report.next.filter((each) => each.command.startsWith('ralph '))) {
      const words = splitWords(command);
      if (words.kind !== 'words') throw new Error(command);
      expect(whyNotParsed(buildProgram(await commands), words.words.slice(1)), command).toBeNull();
    }
  });
});

describe('a journal that is read as a stream', () => {
  it('has the same events, and leaves out a line that is being written', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'journal.jsonl');
    const whole = readFileSync(journalPath('stories'), 'utf8');
    writeFileSync(path, `${whole}{"v":1,"seq":`);
    expect(await streamed(path)).toEqual(await readJournalFile(journalPath('stories')));
  });

  it('is refused from the line on that somebody has changed', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'journal.jsonl');
    const lines = readFileSync(journalPath('stories'), 'utf8').split('\n');
    writeFileSync(path, [lines[0], lines[2], ...lines.slice(3)].join('\n'));
    await expect(streamed(path)).rejects.toThrow(/line 2/);
  });
});
