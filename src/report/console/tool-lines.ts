import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { formatDuration, formatTokenCount } from '../../kit/pure/amounts.ts';
import { type Line, line, span } from './line.ts';
import { type DisplaySettings, excerpt, shorten, type TextSize, textSize } from './look.ts';

const NAME_CHARS = 60;

/** `⏺ Read(/path/to/file)` (seed 001). */
export function toolStartLines(tool: { readonly name: string; readonly input: unknown }, { glyphs }: DisplaySettings): readonly Line[] {
  const mark = [span(glyphs.tool, 'accent'), span(shorten(tool.name, NAME_CHARS), 'busy')];
  const input = toolInput(tool.name, tool.input);
  return [input === '' ? line(...mark) : line(...mark, span('(', 'dim'), span(input), span(')', 'dim'))];
}

export interface ToolEnd {
  /** Null when the start of the call is unknown. */
  readonly name: string | null;
  readonly ok: boolean;
  readonly output: string;
  readonly exitCode: number | null;
  /** Null unless timings are on. */
  readonly tookMs: number | null;
}

/** `✅ Result ← Read (45 lines, 1234 chars)` and its first lines (seed 001). A success without output gets no line. */
export function toolEndLines(end: ToolEnd, look: DisplaySettings): readonly Line[] {
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

/** A failure without output shows its exit code. */
function sizeText({ output, exitCode }: ToolEnd, { lines, chars }: TextSize): string {
  if (output !== '') return ` (${lines} lines, ${chars} chars)`;
  return exitCode === null ? '' : ` (exit code ${exitCode})`;
}

function outputLines({ ok, output }: ToolEnd, total: number, { glyphs, ...limits }: DisplaySettings): readonly Line[] {
  const { shown, usedLines } = excerpt(output, { lines: limits.outputLines, lineChars: limits.outputChars });
  const margin = ' '.repeat(6);
  const lines = shown.map((text, index) => line(span(index === 0 ? glyphs.elbow : margin, 'dim'), span(text, ok || index > 0 ? 'dim' : 'bad')));
  const more = total - usedLines;
  return more > 0 ? [...lines, line(span(`${glyphs.elbow}... ${more} more lines`, 'dim'))] : lines;
}

type Said<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

const TEXT_CHARS = 300;

/** The agent retries its model call by itself. */
export function retryLines({ attempt, max, delayMs, status, kind }: Said<'retry'>): readonly Line[] {
  const count = max === undefined ? `${attempt}` : `${attempt}/${max}`;
  const reason = status === undefined ? kind : `${kind}, HTTP ${status}`;
  const pause = delayMs === undefined ? '' : ` in ${formatDuration(delayMs)}`;
  return [line(span(`Agent retries (${reason}): ${count}${pause}`, 'busy'))];
}

/** Only the warning: a limit that is reached is shown once, with its wait. */
export function rateLimitLines({ status, window, utilization, resetsAtMs }: Said<'rate_limit'>, { clock }: DisplaySettings): readonly Line[] {
  if (status !== 'warning') return [];
  const used = utilization === undefined ? 'nearly used up' : `${Math.round(utilization * 100)}% used`;
  const until = resetsAtMs === undefined ? '' : `, resets at ${clock(resetsAtMs)}`;
  return [line(span(`Usage limit${window === undefined ? '' : ` (${window})`}: ${used}${until}`, 'busy'))];
}

/** The error of a usage limit would only repeat the line of its wait. */
export function errorLines({ kind, message, status }: Said<'error'>, { glyphs }: DisplaySettings): readonly Line[] {
  if (kind === 'limit') return [];
  const code = status === undefined ? '' : ` (HTTP ${status})`;
  return [line(span(`${glyphs.bad}Error${code}: ${shorten(message, TEXT_CHARS) || kind}`, 'bad'))];
}

export function noteLines({ text }: Said<'note'>): readonly Line[] {
  const note = shorten(text.trim(), TEXT_CHARS);
  return note === '' ? [] : [line(span(note, 'dim'))];
}

export function fileChangedLines({ path, kind }: Said<'file.changed'>, { glyphs }: DisplaySettings): readonly Line[] {
  return [line(span(`${glyphs.elbow}${kind} ${shorten(path, TEXT_CHARS)}`, 'dim'))];
}

export function subagentStartedLines({ kind, description }: Said<'subagent.started'>, { glyphs }: DisplaySettings): readonly Line[] {
  const what = kind === 'shell' ? 'Background command' : 'Sub-agent';
  const about = description === undefined ? [] : [span('(', 'dim'), span(shorten(description, 60)), span(')', 'dim')];
  return [line(span(glyphs.tool, 'accent'), span(what, 'busy'), ...about)];
}

export function subagentFinishedLines({ tokens }: Said<'subagent.finished'>, { glyphs }: DisplaySettings): readonly Line[] {
  return tokens === undefined ? [] : [line(span(`${glyphs.elbow}sub-agent used ${formatTokenCount(tokens)} tokens`, 'dim'))];
}

/** The fields of a tool's input that say most, with a length for each; the first that exists wins. */
type Telling = readonly (readonly [field: string, chars: number])[];

const PATH: Telling = [
  ['file_path', 80],
  ['path', 80],
  ['filePath', 80],
  ['absolute_path', 80],
  ['notebook_path', 80],
];
const COMMAND: Telling = [
  ['command', 60],
  ['cmd', 60],
  ['description', 60],
];
const PATTERN: Telling = [['pattern', 40]];
const TASK: Telling = [['description', 40]];
const WEB: Telling = [
  ['url', 50],
  ['query', 50],
];

const TELLING: ReadonlyMap<string, Telling> = new Map([
  ...['Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit'].map((name) => [name, PATH] as const),
  ...['read', 'write', 'edit', 'read_file', 'write_file', 'edit_file', 'create_file', 'replace'].map((name) => [name, PATH] as const),
  ...['Bash', 'bash', 'shell', 'run_command', 'run_shell_command'].map((name) => [name, COMMAND] as const),
  ...['Glob', 'Grep', 'glob', 'grep', 'search_file_content'].map((name) => [name, PATTERN] as const),
  ...['Task', 'Agent', 'task'].map((name) => [name, TASK] as const),
  ...['WebFetch', 'WebSearch', 'webfetch', 'search', 'google_web_search'].map((name) => [name, WEB] as const),
]);

/** The text in brackets after a tool's name (seed 001); empty for an unknown tool. */
export function toolInput(name: string, input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  for (const [field, chars] of TELLING.get(name) ?? []) {
    const value = (input as Readonly<Record<string, unknown>>)[field];
    if (typeof value === 'string' && value !== '') return shorten(value.trimStart(), chars);
  }
  return '';
}
