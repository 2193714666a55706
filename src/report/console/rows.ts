import { type Line, prose, type Span, span } from './line.ts';

const LABEL_COLUMNS = 12;

/** A labelled fact of the banner or the summary. It wraps: facts are not cut. */
export function row(label: string, ...facts: readonly Span[]): Line {
  return prose(span(`  ${label.padEnd(LABEL_COLUMNS)}`, 'dim'), ...facts);
}
