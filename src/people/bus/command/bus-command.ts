import { isUtf8 } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { countOf, currentDirectory } from '../../../cli/shared/flags.ts';
import { untilSignalled } from '../../../cli/shared/until-signalled.ts';
import type { BusMessage, NewBusMessage } from '../../../journal/messages.ts';
import { linkSignal } from '../../../kit/async/scope.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { printable } from '../../../kit/pure/text.ts';
import { io } from '../../../process/io.ts';
import { environment } from '../../../sandbox/environment/environment.ts';
import { type BusPlace, type BusRequest, findBus, requireBus, senderOf } from '../open/find-bus.ts';
import { type BusReading, isOfType, openBus, readBus, refuseMissingBus, refuseUnknownMessage, unknownMessage } from '../open/open-bus.ts';

export async function postCommand({ type = 'INFO', body, meta = [], json, ...flags }: PostFlags): Promise<number> {
  const place = busPlace();
  const found = requireBus('post', busRequest(flags), place);
  const extra = meta.length === 0 ? {} : { meta: metaOf(meta) };
  const message = await checkedMessage({ type, ...senderOf(found.path, place.env), ...extra, body: '' });
  const content = await messageBody(body ?? null, '--body');
  using bus = openBus(found, place);
  return printPosted(await bus.post({ ...message, ...content }), bus.path, json);
}

export async function answerCommand(id: string, text: string | null, { json, ...flags }: BusFlags): Promise<number> {
  const place = busPlace();
  const found = requireBus('read', busRequest(flags), place);
  using bus = openBus(found, place);
  await refuseUnknownMessage(bus, id);
  const content = await messageBody(text, 'a second argument');
  const message = { type: 'ANSWER', ...senderOf(found.path, place.env), parents: [{ msg_id: id, kind: 'answer' }] };
  return printPosted(await bus.post({ ...message, ...content }), bus.path, json);
}

export async function readCommand({ tail, since, type, follow, json, ...flags }: ReadFlags): Promise<number> {
  const place = busPlace();
  const reading: BusReading = { tail: countOf('--tail', tail), since: since ?? null, type: type ?? null };
  const found = requireBus('read', busRequest(flags), place);
  using bus = openBus(found, place);
  if (!follow && found.by !== 'environment') await refuseMissingBus(bus);
  const show = (message: BusMessage) => void io().stdout.write(json ? messageJson(message) : messageText(message));
  const { messages, newest } = await readBus(bus, reading);
  for (const message of messages) show(message);
  if (!follow) return 0;
  const fits = isOfType(reading.type);
  return await untilCtrlC(async (signal) => {
    const isKnown = await bus.follow(newest, (message) => fits(message) && show(message), signal);
    if (!isKnown) throw unknownMessage(`since id ${newest} not found`, bus.path);
  });
}

export async function discoverCommand({ json, ...flags }: BusFlags): Promise<number> {
  const place = busPlace();
  const found = findBus('read', busRequest(flags), place);
  if (found === null) {
    io().stderr.write(`error: there is no message bus in ${place.cwd} or above it\nhint: Name its file with --bus, or its task with --project and --task.\n`);
    return 1;
  }
  io().stdout.write(json ? `${JSON.stringify({ bus: found.path, by: found.by })}\n` : `${found.path}\n`);
  return 0;
}

/** Works until the user stops it, or nobody reads its output any more. */
async function untilCtrlC(work: (signal: AbortSignal) => Promise<void>): Promise<number> {
  using signalled = untilSignalled();
  using ending = linkSignal(signalled.signal);
  const nobodyReads = (error: Error) => ending.abort(error);
  const { stdout } = io();
  stdout.once('error', nobodyReads);
  await work(ending.signal);
  stdout.off('error', nobodyReads);
  return signalled.exitCode();
}

function printPosted(msg_id: string, bus: string, json: boolean | undefined): number {
  io().stdout.write(json ? `${JSON.stringify({ msg_id, bus })}\n` : `${msg_id}\n`);
  return 0;
}

/** Control characters that a terminal obeys and JSON does not escape. */
const CONTROL = /[\u007f-\u009f]/g;

/** A message for people: a line with sender and time, then the indented text. No control character reaches the terminal. */
export function messageText({ msg_id, ts, type, run_id, task_id, parents = [], body }: BusMessage): string {
  const about = parents.map((parent) => `re ${parent.msg_id}`);
  const head = [type, ts, msg_id, run_id ?? task_id ?? '', ...about].filter(Boolean).join('  ');
  const lines = body.trimEnd() === '' ? [] : body.trimEnd().split(/\r?\n/);
  return `${[printable(head), ...lines.map((line) => `    ${printable(line)}`)].join('\n')}\n`;
}

/** A message for programs, on one line. */
export function messageJson(message: BusMessage): string {
  return `${JSON.stringify(message).replace(CONTROL, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)}\n`;
}

export interface MessageBody {
  readonly body: string;
  /** The bytes of the body, where they are not UTF-8. */
  readonly body_base64?: string;
}

/** The text of the flag, else all of standard input, byte for byte. On a terminal it fails instead of waiting silently for input. */
export async function messageBody(text: string | null, flag: string): Promise<MessageBody> {
  if (text !== null) return { body: text };
  if (io().stdin.isTTY) throw new OperatorError('usage', 'the message has no text', { hint: `Give it with ${flag}, or on standard input.`, exitCode: 2 });
  const bytes = await buffer(io().stdin);
  return isUtf8(bytes) ? { body: bytes.toString() } : { body: bytes.toString(), body_base64: bytes.toString('base64') };
}

export function metaOf(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(words.map(pairOf));
}

function pairOf(word: string): readonly [string, string] {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
  if (key === undefined || value === undefined) throw badFlag(`--meta ${word} is not a pair`, 'Write it as key=value.');
  return [key, value];
}

/** Validates the message; only its type can be wrong at this point. The validator is loaded only by commands that post. */
export async function checkedMessage(message: NewBusMessage): Promise<NewBusMessage> {
  const checked = (await import('../../../journal/messages.ts')).NewBusMessage.safeParse(message);
  if (checked.success) return checked.data;
  throw badFlag(
    `"${message.type}" is not a valid message type`,
    'A type begins with a letter and has at most 64 letters, digits, dots, dashes and underscores.',
  );
}

function badFlag(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}

/** The flags of every bus command. */
export interface BusFlags {
  readonly bus?: string;
  readonly root?: string;
  readonly project?: string;
  readonly task?: string;
  readonly projectBus?: boolean;
  readonly json?: boolean;
}

export interface PostFlags extends BusFlags {
  readonly type?: string;
  readonly body?: string;
  readonly meta?: readonly string[];
}

export interface ReadFlags extends BusFlags {
  readonly tail?: string;
  readonly since?: string;
  readonly type?: string;
  readonly follow?: boolean;
}

export function busRequest({ bus, root, project, task, projectBus }: BusFlags): BusRequest {
  return { bus: bus ?? null, root: root ?? null, project: project ?? null, task: task ?? null, projectBus: projectBus ?? false };
}

export function busPlace(): BusPlace {
  return { cwd: currentDirectory(), env: environment() };
}
