import { formatDuration } from '../../kit/pure/duration.ts';
import { excerpt, shorten } from './excerpt.ts';
import { type Line, line, span } from './line.ts';
import type { Look } from './look.ts';
import { type TextSize, textSize } from './text-size.ts';
import { toolInput } from './tool-input.ts';

const NAME_CHARS = 60;

/** `⏺ Read(/path/to/file)` (seed 001). */
export function toolStartLines(tool: { readonly name: string; readonly input: unknown }, { glyphs }: Look): readonly Line[] {
  const mark = [span(glyphs.tool, 'accent'), span(shorten(tool.name, NAME_CHARS), 'busy')];
  const input = toolInput(tool.name, tool.input);
  return [input === '' ? line(...mark) : line(...mark, span('(', 'dim'), span(input), span(')', 'dim'))];
}

export interface ToolEnd {
  /** Null when its start was never heard of. */
  readonly name: string | null;
  readonly ok: boolean;
  readonly output: string;
  readonly exitCode: number | null;
  /** Null unless times are asked for. */
  readonly tookMs: number | null;
}

/** `✅ Result ← Read (45 lines, 1234 chars)` and the first lines of it (seed 001). What succeeded without a word is not worth a line. */
export function toolEndLines(end: ToolEnd, look: Look): readonly Line[] {
  const { ok, output } = end;
  if (ok && output === '') return [];
  const tone = ok ? 'good' : 'bad';
  const size = textSize(output);
  const head = line(
    span(ok ? look.glyphs.good : look.glyphs.bad, tone),
    span(ok ? 'Result' : 'Error', tone),
    span(`${end.name === null ? '' : ` ← ${shorten(end.name, NAME_CHARS)}`}${sizeText(end, size)}`, 'dim'),
    span(end.tookMs === null ? '' : ` [${formatDuration(end.tookMs)}]`, 'dim'),
  );
  return [head, ...outputLines(end, size.lines, look)];
}

/** Of a failure without a word the exit code is all there is. */
function sizeText({ output, exitCode }: ToolEnd, { lines, chars }: TextSize): string {
  if (output !== '') return ` (${lines} lines, ${chars} chars)`;
  return exitCode === null ? '' : ` (exit code ${exitCode})`;
}

function outputLines({ ok, output }: ToolEnd, total: number, { glyphs, ...limits }: Look): readonly Line[] {
  const { shown, usedLines } = excerpt(output, { lines: limits.outputLines, lineChars: limits.outputChars });
  const margin = ' '.repeat(6);
  const lines = shown.map((text, index) => line(span(index === 0 ? glyphs.elbow : margin, 'dim'), span(text, ok || index > 0 ? 'dim' : 'bad')));
  const more = total - usedLines;
  return more > 0 ? [...lines, line(span(`${glyphs.elbow}... ${more} more lines`, 'dim'))] : lines;
}
