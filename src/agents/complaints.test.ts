import { describe, expect, it } from 'vitest';
import { hearLines, recordedAt } from '../../test/support/recorded-streams.ts';
import { causeText } from '../journal/words/outcome.ts';
import { amp } from './amp/index.ts';
import { addEvent, attemptVerdict, startSummary } from './attempt/attempt-summary.ts';
import { causeOf } from './attempt/cause-of.ts';
import { claude } from './claude/index.ts';
import { codex } from './codex/index.ts';
import { command } from './command/index.ts';
import { complaintEvents, errorMessageIn } from './error-message.ts';
import { gemini } from './gemini/index.ts';
import { opencode } from './opencode/index.ts';

const definitions = { claude, codex, gemini, opencode, amp, command } as const;

/** What an attempt comes to that printed nothing but this on stderr. */
function judged(agent: keyof typeof definitions, stderr: string, code = 1) {
  const line = errorMessageIn(stderr) ?? '';
  const known = definitions[agent].complaints;
  const summary = complaintEvents(line, code, known, recordedAt).reduce(addEvent, startSummary());
  const ending = { kind: 'exited' as const, code };
  const cause = causeOf(attemptVerdict(summary, ending), summary, ending);
  return { cause: cause && causeText(cause), summary };
}

const codexUsage =
  "\n\n  tip: to pass '--full-auto' as a value, use '-- --full-auto'\n\nUsage: codex exec [OPTIONS] [PROMPT]\n\nFor more information, try '--help'.\n";

describe('the cause of a failure that only stderr explains', () => {
  // Recorded from the real programs.
  it.each([
    ['claude', "error: unknown option '--no-such-flag'\n", 'permanent (flag)'],
    ['claude', "error: unknown option '--model opus'\n", 'permanent (flag)'],
    ['claude', "error: unknown option '- item one'\n", 'permanent (flag)'],
    ['claude', 'Error: Input must be provided either through stdin or as a prompt argument when using --print\n', 'permanent (flag)'],
    ['claude', 'Error: When using --print, --output-format=stream-json requires --verbose\n', 'permanent (flag)'],
    ['claude', '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons\n', 'permanent (flag)'],
    ['claude', 'Error: Session ID 11111111-2222-4333-8444-794712934324 is already in use.\n', 'passing (crash)'],
    ['codex', `error: unexpected argument '--full-auto' found${codexUsage}`, 'permanent (flag)'],
    ['codex', `error: unexpected argument '- ' found${codexUsage}`, 'permanent (flag)'],
    ['codex', 'Error: thread/resume: thread/resume failed: no rollout found for thread id 0 (code -32600)\n', 'passing (crash)'],
    ['opencode', 'opencode run [message..]\n\n  -h, --help         show help     [boolean]\n', 'permanent (flag)'],
    ['amp', 'Error: API request for getUserInfo failed: 404\n', 'passing (crash)'],
  ] as const)('%s: %j is %s', (agent, stderr, cause) => expect(judged(agent, stderr).cause).toBe(cause));

  it.each([
    "Claude AI: You've hit your session limit · resets 4:41am (UTC)",
    'ERROR: Rate limit reached for requests. Please try again in 20s.',
    'HTTP 429 Too Many Requests',
    'openai.RateLimitError: rate_limit_error',
    'You have exhausted your daily quota on this model.',
    'Error: weekly limit reached',
  ])('of a plain command is a limit if it says so: %j', (stderr) => expect(judged('command', stderr).cause).toBe('waiting (limit)'));

  it.each([
    ["You've hit your session limit · resets 4:41am (UTC)", Date.UTC(2026, 10, 15, 4, 42)],
    ['Rate limit exceeded, retry after 90 seconds', recordedAt.nowMs() + 90_000],
    ['usage limit reached, try again at 4:55 AM', Date.UTC(2026, 10, 15, 4, 56)],
    ["ERROR: You've hit your usage limit. Upgrade to Pro or try again at Nov 18th, 2026 4:55 AM.", Date.UTC(2026, 10, 18, 4, 56)],
    ['usage limit reached', null],
  ])('has the end of the limit: %j', (stderr, resetsAtMs) => expect(judged('command', stderr).summary.limit?.resetsAtMs).toBe(resetsAtMs));

  // Recorded: without a key it prints this on stdout, and waits until somebody ends it.
  it('of amp is a login when it asks for one instead of working', () => {
    const { summary } = hearLines(amp, ['No API key found. Starting login flow...', 'If your browser does not open automatically, visit:', '']);
    const ending = { kind: 'stopped', cause: 'idle', detail: 'no output', code: null, signal: 'SIGINT' } as const;
    expect(causeOf(attemptVerdict(summary, ending), summary, ending)).toMatchObject({ class: 'permanent', kind: 'login' });
  });

  it('of a plain command is an overload if it says so', () => {
    expect(judged('command', 'overloaded_error: Overloaded').cause).toBe('waiting (overload)');
  });

  it.each([
    'Invalid API key · Please run /login',
    'Invalid API key',
    'Error: Not logged in. Please run `x login`.',
    'You are not logged in',
    'HTTP 401 Unauthorized',
    'unexpected status 401 Unauthorized: Missing bearer token',
    'API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
    'Incorrect API key provided: sk-abc',
    'OAuth token has expired. Please obtain a new token.',
    'Please log in to continue',
  ])('of a plain command is a login if it says so: %j', (stderr) => expect(judged('command', stderr).cause).toBe('permanent (login)'));

  // A script prints the errors of whatever it calls.
  it.each([
    "error: unknown option '--x'",
    'GET /orders expected 200 but got 401',
    'FAIL test/login.test.ts',
    'AssertionError: expected user to be logged in',
    'the test "rejects an invalid api key" failed',
    'time limit exceeded',
    'the limit of open files is reached',
    'FAIL test/rate-limit.test.ts',
    'error: 3 requests were limited to 5 lines',
  ])('of a plain command is a plain failure otherwise: %j', (stderr) => expect(judged('command', stderr).cause).toBe('passing (crash)'));
});
