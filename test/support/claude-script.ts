import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One thing that the scripted claude does. `claudeScript` writes it down for scripted-claude.pl. */
export type Step =
  | { readonly init: true }
  | { readonly say: string }
  /** Runs a command and shows it as a tool. */
  | { readonly bash: string }
  /** Starts a command in its own session and does not wait for it. */
  | { readonly tool: string }
  | { readonly result: string }
  | { readonly limit: { readonly resetsInMs: number; readonly told: 'by event' | 'by text' } }
  | { readonly print: { readonly text: string; readonly times: number } }
  | { readonly pause: number }
  | { readonly until: string }
  | { readonly exit: number }
  | { readonly stay: true };

/** What it does in one call. After the last step it exits with 0. Asked for text it does the same, and prints only its result, or what it said last. */
export type Turn = readonly Step[];

export const CLAIM = '<response>DONE</response>';

/** A call that starts like every real one. */
export const turn = (...steps: readonly Step[]): Turn => [{ init: true }, ...steps];

export const bash = (command: string): Step => ({ bash: command });
export const tool = (command: string): Step => ({ tool: command });
export const pause = (ms: number): Step => ({ pause: ms });
export const until = (path: string): Step => ({ until: path });
export const exit = (code: number): Step => ({ exit: code });
export const print = (text: string, times = 1): Step => ({ print: { text, times } });
export const stay: Step = { stay: true };

/** The last message of a turn, which its result repeats. */
export const ends = (text: string): readonly Step[] => [{ say: text }, { result: text }];

/** A usage limit, as a subscriber's claude tells it, then exit 1. */
export const limited = (resetsInMs: number, told: 'by event' | 'by text' = 'by event'): Turn => turn({ limit: { resetsInMs, told } });

const SESSION = '6e7fb918-186c-40eb-a68f-7c78ae23f831';
const MODEL = 'claude-opus-4-8';

/** The turns as scripted-claude.pl reads them from CLAUDE_SCRIPT: a line for each step, its values percent-encoded. @NAMES@ are filled in while it plays. */
export function claudeScript(turns: readonly Turn[]): string {
  return turns.map((steps) => steps.flatMap(linesOf).join('\n')).join('\n==\n');
}

function linesOf(step: Step, index: number): readonly string[] {
  if ('init' in step) {
    const tools = ['Task', 'Bash', 'Edit', 'Read', 'Write'];
    return [emit('other', { type: 'system', subtype: 'init', cwd: '@CWD@', session_id: SESSION, tools, mcp_servers: [], model: MODEL })];
  }
  if ('say' in step) return [emit('says', assistant({ type: 'text', text: step.say }), step.say)];
  if ('bash' in step) return bashLines(step.bash, `toolu_${index}`);
  if ('result' in step) return [emit('result', result({ result: step.result }), step.result)];
  if ('limit' in step) return limitLines(step.limit);
  if ('print' in step) return [line('print', step.print.text, step.print.times)];
  if ('tool' in step) return [line('start', step.tool)];
  const [[name, value] = ['', '']] = Object.entries(step);
  return [line(name, value)];
}

function bashLines(command: string, id: string): readonly string[] {
  const content = [{ tool_use_id: id, type: 'tool_result', content: 'exit @CODE@', is_error: '@FAILED@' }];
  return [
    emit('other', assistant({ type: 'tool_use', id, name: 'Bash', input: { command, description: 'run' } })),
    line('run', command),
    emit('other', { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: SESSION }),
  ];
}

function limitLines({ resetsInMs, told }: { readonly resetsInMs: number; readonly told: 'by event' | 'by text' }): readonly string[] {
  const text = "You've hit your session limit · resets @WALL_TIME@ (UTC)";
  const rate_limit_info = { status: 'rejected', resetsAt: '@RESETS_AT@', rateLimitType: 'five_hour', overageStatus: 'rejected', isUsingOverage: false };
  const failed = { is_error: true, api_error_status: 429, result: text, stop_reason: 'stop_sequence', total_cost_usd: 0, modelUsage: {} };
  return [
    line('limit', resetsInMs),
    ...(told === 'by event' ? [emit('other', { type: 'rate_limit_event', rate_limit_info, session_id: SESSION })] : []),
    emit('says', { ...assistant({ type: 'text', text }, '<synthetic>'), error: 'rate_limit' }, text),
    emit('result', result(failed), text),
    line('exit', 1),
  ];
}

/** Numbers and booleans are filled in without their quotes. */
function emit(shape: 'other' | 'says' | 'result', message: object, word = ''): string {
  return line('emit', shape, JSON.stringify(message).replace(/"(@(?:FAILED|RESETS_AT)@)"/g, '$1'), word);
}

function line(name: string, ...values: readonly unknown[]): string {
  return [name, ...values.map((value) => encodeURIComponent(String(value)))].join(' ');
}

function assistant(block: object, from = MODEL): object {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: from, content: [block], stop_reason: null, usage: {} };
  return { type: 'assistant', message, parent_tool_use_id: null, session_id: SESSION };
}

function result(said: object): object {
  return {
    ...{ type: 'result', subtype: 'success', is_error: false, api_error_status: null, duration_ms: 20, num_turns: 1 },
    ...{ stop_reason: 'end_turn', session_id: SESSION, total_cost_usd: 0.01 },
    usage: { input_tokens: 1200, cache_creation_input_tokens: 0, cache_read_input_tokens: 800, output_tokens: 50 },
    modelUsage: { [MODEL]: { inputTokens: 1200, outputTokens: 50, cacheReadInputTokens: 800, cacheCreationInputTokens: 0, costUSD: 0.01 } },
    ...{ permission_denials: [], terminal_reason: 'completed', ...said },
  };
}

const executable = fileURLToPath(new URL('./scripted-claude.pl', import.meta.url));

/** Creates `<under>/bin` with a scripted `claude`. */
export async function scriptedClaudeIn(under: string): Promise<string> {
  const bin = join(under, 'bin');
  await mkdir(bin);
  await symlink(executable, join(bin, 'claude'));
  return bin;
}
