import { plural } from '../../kit/pure/amounts.ts';
import { oneLine, printable } from '../../kit/pure/text.ts';
import { blocks, outputBlock, plainText, table } from '../loop-report/markdown-text.ts';
import { agentSaid } from '../needs/agent-said.ts';
import {
  agentTable,
  factsOf,
  notBegunTexts,
  notProvenTitle,
  provenTable,
  refusedTexts,
  standingText,
  type Table,
  taskTable,
  timelineTable,
  type When,
} from './report-tables.ts';
import type { NotProvenView, RunReport } from './report-view.ts';

const MOST_TIMELINE = 40;
const TEXT_CHARS = 500;

/** The report for a terminal, a pull request or an e-mail. Everything that an agent wrote is text. */
export function reportPageMarkdown(report: RunReport, when: When): string {
  const timeline = timelineTable(report, when, MOST_TIMELINE);
  return blocks(
    `# ralph ${report.recipe}: ${words(report.title)}`,
    `Run ${report.run_id}. ${words(standingText(report, when))}`,
    factsOf(report, when)
      .map(([label, value]) => `- ${label}: ${words(value)}`)
      .join('\n'),
    ...section(`Proven (${report.proven.length})`, tableText(provenTable(report, when))),
    ...section(`Not proven (${report.not_proven.length})`, report.not_proven.map((item) => itemText(report, item)).join('\n\n')),
    ...section(
      `Not begun (${report.totals.not_begun})`,
      notBegunTexts(report)
        .map((text) => `- ${words(text)}`)
        .join('\n'),
    ),
    ...section('Questions', report.questions.map(({ task, text }) => `- ${task === null ? '' : `${words(task)}: `}${words(text)}`).join('\n')),
    ...section(
      'What to do next',
      report.next.length === 0 ? '' : outputBlock(report.next.map(({ command, why }) => `${line(command)}  # ${line(why)}`).join('\n')),
    ),
    ...section(
      'Refused changes',
      refusedTexts(report)
        .map((text) => `- ${words(text)}`)
        .join('\n'),
    ),
    ...section('Cost, time and tokens', blocks(tableText(taskTable(report)), tableText(agentTable(report))).trimEnd()),
    ...section(
      'Timeline',
      blocks(
        timeline.leftOut === 0 ? '' : `Left out: ${plural(timeline.leftOut, 'earlier entry', 'earlier entries')}; --html shows more.`,
        tableText(timeline),
      ).trimEnd(),
    ),
  );
}

function itemText(report: RunReport, item: NotProvenView): string {
  const red = item.red.map(({ command, ending, where, lines }) =>
    blocks(`Red${WHERE[where]}: ${words(command)} (${words(ending)})`, lines.trim() === '' ? 'It printed nothing.' : outputBlock(lines)).trimEnd(),
  );
  return blocks(`### ${words(notProvenTitle(report, item))}`, words(item.why), words(agentSaid(item.agent_said, item.why) ?? ''), ...red).trimEnd();
}

const WHERE = { workspace: '', clean: ' in a clean copy', merged: ' on the merged result' } as const;

function section(heading: string, content: string): readonly string[] {
  return content === '' ? [] : [`## ${heading}`, content];
}

function tableText({ head, rows }: Table): string {
  return rows.length === 0
    ? ''
    : table(
        head,
        rows.map((cells) => cells.map(words)),
      );
}

/** Quotes and amounts of money start no markup, and people read this in a terminal too. */
function words(text: string): string {
  return plainText(text, TEXT_CHARS)
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll(/&#36;(?=\d+\.\d\d\b)/g, '$');
}

const line = (text: string) => printable(oneLine(text));
