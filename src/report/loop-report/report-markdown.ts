import type { LoopReport } from './loop-report.ts';
import { blocks, table } from './markdown-text.ts';
import { checkTable, errorList, factsOf, fileList, iterationTable, redOutputs } from './report-parts.ts';

/** A page for people, to be kept with the work. */
export function reportMarkdown(report: LoopReport): string {
  return blocks(
    '# Execution Report',
    table(['Fact', 'Value'], factsOf(report)),
    ...section('Iterations', iterationTable(report)),
    ...section('Checks', checkTable(report)),
    ...section(
      'Red checks',
      redOutputs(report)
        .map(({ name, block }) => `### ${name}\n\n${block}`)
        .join('\n\n'),
    ),
    ...section('Files modified', fileList(report)),
    ...section('Errors', errorList(report)),
  );
}

function section(heading: string, content: string): readonly string[] {
  return content === '' ? [] : [`## ${heading}`, content];
}
