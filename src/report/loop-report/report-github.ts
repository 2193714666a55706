import { fineCostText, secondsText } from '../console/spent-text.ts';
import type { LoopReport } from './loop-report.ts';
import { blocks, plainText } from './markdown-text.ts';
import { checkTable, errorList, fileList, iterationTable, redOutputs, titleOf } from './report-parts.ts';

/** GitHub refuses a summary of more than a megabyte; people read far less. */
const MOST_CHARS = 200_000;

/** The step summary of GitHub Actions: the result at a glance, everything else collapsed. */
export function reportGithub(report: LoopReport): string {
  const { status, stop_reason, message, iterations, total_cost, duration_seconds } = report;
  const figures = [`${iterations.length} iteration(s)`, fineCostText(total_cost), secondsText(duration_seconds * 1000), stop_reason ?? 'did not end'].join(
    ', ',
  );
  return blocks(
    `## ${status === 'success' ? 'OK' : 'WARN'} ralph: ${titleOf(report)}`,
    message === null ? '' : plainText(message),
    figures,
    checkTable(report),
    details('Iterations', iterationTable(report)),
    ...outputDetails(report),
    details(`Files modified (${report.files_modified?.length ?? 0})`, fileList(report)),
    details('Errors', errorList(report)),
  );
}

/** Leaves out the last outputs when all of them would be too long for a summary. */
function outputDetails(report: LoopReport): readonly string[] {
  let left = MOST_CHARS;
  return redOutputs(report).flatMap(({ name, block }) => {
    left -= block.length;
    return left < 0 ? [] : [details(`Output of ${name}`, block)];
  });
}

/** Inside HTML, blank lines switch back to Markdown. */
function details(summary: string, content: string): string {
  return content === '' ? '' : `<details>\n<summary>${summary}</summary>\n\n${content}\n\n</details>`;
}
