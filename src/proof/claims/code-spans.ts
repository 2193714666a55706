/**
 * Tells whether a position of the line lies in an inline code span: a run of backticks up to the next run of the same length.
 * Positions must be asked in ascending order. However many backticks there are, the whole line costs two passes.
 */
export function openCodeSpans(line: string): (position: number) => boolean {
  if (!line.includes('`')) return () => false;
  const lastStarts = lastStartOfEachLength(line);
  const runs = /`+/g;
  let start = 0;
  let end = 0;

  const nextSpan = () => {
    for (let run = runs.exec(line); run !== null; run = runs.exec(line)) {
      const length = run[0].length;
      if ((lastStarts.get(length) ?? 0) <= run.index) continue;
      start = run.index;
      end = closingEnd(line, runs, length);
      return;
    }
    start = end = Number.POSITIVE_INFINITY;
  };

  return (position) => {
    while (end <= position) nextSpan();
    return start <= position;
  };
}

/** Knowing where the last run of a length stands, an opening run without a partner is seen without a search to the line's end. */
function lastStartOfEachLength(line: string): Map<number, number> {
  const starts = new Map<number, number>();
  const runs = /`+/g;
  for (let run = runs.exec(line); run !== null; run = runs.exec(line)) starts.set(run[0].length, run.index);
  return starts;
}

function closingEnd(line: string, runs: RegExp, length: number): number {
  for (let run = runs.exec(line); run !== null; run = runs.exec(line)) {
    if (run[0].length === length) return runs.lastIndex;
  }
  return line.length;
}
