import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { linkSignal } from '../../kit/async/scope.ts';
import { oneLine, truncateCodePoints } from '../../kit/pure/text.ts';
import { type Captured, capture } from '../../process/capture.ts';
import { shellCommand } from '../../process/find-executable.ts';
import type { Delivery } from '../channels/channel.ts';

export interface DeliveryPlace {
  readonly cwd: string;
  /** The operator's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Marks the processes of this delivery, so that none is left running. */
  readonly marker: string;
  /** The pauses before each further try of a web request. */
  readonly backoffMs: readonly number[];
}

/** Null: it was handed over. Otherwise why not, in words that may contain a secret. */
export type Failure = string | null;

const PROGRAM_MS = 10_000;
const REQUEST_MS = 10_000;
const WHY_CHARS = 200;

export const BACKOFF_MS = [1_000, 4_000, 15_000] as const;

/** Hands a message over, outside of any sandbox. Never rejects. */
export async function deliver(delivery: Delivery, id: string, place: DeliveryPlace, signal: AbortSignal): Promise<Failure> {
  switch (delivery.via) {
    case 'nothing':
      return delivery.why;
    case 'http':
      return await postUntilTaken(delivery, id, place.backoffMs, signal);
    case 'program':
      return await runToEnd(delivery, delivery.stdin, place, signal);
    case 'shell':
      return await runToEnd(shellCommand(delivery.line), delivery.stdin, { ...place, env: { ...place.env, ...delivery.env } }, signal);
  }
}

async function runToEnd(
  { file, args }: { readonly file: string; readonly args: readonly string[] },
  input: string,
  { cwd, env, marker }: DeliveryPlace,
  signal: AbortSignal,
): Promise<Failure> {
  const captured = await capture({ file, args, cwd, env, timeoutMs: PROGRAM_MS, marker, input, signal });
  return captured.code === 0 ? null : whyNot(captured, file);
}

function whyNot({ code, started, stdout, stderr }: Captured, file: string): string {
  if (!started) return `${file} could not be started: ${stderr}`;
  const said = shortened(stderr.trim() || stdout.trim());
  return code === null ? said : `it exited with code ${code}${said === '' ? '' : `: ${said}`}`;
}

type Post = Extract<Delivery, { via: 'http' }>;

/** Retries what may pass: a lost connection, a busy or broken server. */
async function postUntilTaken(post: Post, id: string, backoffMs: readonly number[], signal: AbortSignal): Promise<Failure> {
  for (const pauseMs of [...backoffMs, null]) {
    const { why, mayPass } = await postOnce(post, id, signal);
    if (why === null || !mayPass || pauseMs === null || signal.aborted) return why;
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return why;
  }
  return null;
}

interface Answer {
  readonly why: Failure;
  readonly mayPass: boolean;
}

async function postOnce({ url, headers, body, signWith }: Post, id: string, signal: AbortSignal): Promise<Answer> {
  using limit = linkSignal(signal);
  const timer = setTimeout(() => limit.abort(new Error('timeout')), REQUEST_MS);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'ralph', 'x-ralph-id': id, ...headers, ...signatureOf(body, signWith) },
      body,
      // Whoever a server leads us to must not get the message.
      redirect: 'manual',
      signal: limit.signal,
    });
    const said = await beginningOf(response);
    if (response.ok) return { why: null, mayPass: false };
    return {
      why: `the server answered ${response.status}${said === '' ? '' : `: ${said}`}`,
      mayPass: [408, 425, 429].includes(response.status) || response.status >= 500,
    };
  } catch (error) {
    return { why: limit.signal.aborted ? 'there was no answer in time' : reasonOf(error), mayPass: true };
  } finally {
    clearTimeout(timer);
  }
}

/** Over time and body, so that nobody can send an old message again. */
function signatureOf(body: string, key: string | null): Readonly<Record<string, string>> {
  if (key === null) return {};
  const time = String(Math.floor(Date.now() / 1000));
  return { 'x-ralph-timestamp': time, 'x-ralph-signature': `sha256=${createHmac('sha256', key).update(`${time}.${body}`).digest('hex')}` };
}

/** A server may answer without end: only the first piece is read. */
async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const piece = await reader?.read();
  void reader?.cancel().catch(() => undefined);
  return shortened(new TextDecoder().decode((piece?.value ?? new Uint8Array()).subarray(0, 4 * WHY_CHARS)));
}

/** What fetch says is always "fetch failed"; its cause has the reason. An address that cannot be read is not repeated: it may be a secret. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return code === 'ERR_INVALID_URL' ? 'the address is not a web address' : `the server could not be reached${code === '' ? '' : ` (${code})`}`;
}

const shortened = (text: string) => truncateCodePoints(oneLine(truncateCodePoints(text, 4 * WHY_CHARS)), WHY_CHARS, '…');
