import { linkSignal } from '../../../kit/async/link-signal.ts';
import { surroundings } from '../../../process/surroundings.ts';
import type { BusMessage } from '../../../journal/bus-message.ts';
import { findBus, theBus } from '../open/find-bus.ts';
import { openBus } from '../open/open-bus.ts';
import { type BusReading, isOfType, readBus, refuseMissingBus, refuseUnknownMessage, unknownMessage } from '../open/read-bus.ts';
import { whoseMessage } from '../open/whose-message.ts';
import { type BusFlags, busPlace, busWish, type PostFlags, type ReadFlags } from './bus-flags.ts';
import { messageBody } from './message-body.ts';
import { messageJson, messageText } from './message-lines.ts';
import { checkedMessage, metaOf } from './new-message.ts';
import { countOf } from '../../../cli/shared/flag-values.ts';
import { untilSignalled } from '../../../cli/shared/until-signalled.ts';

export async function postCommand({ type = 'INFO', body, meta = [], json, ...flags }: PostFlags): Promise<number> {
  const place = busPlace();
  const found = theBus('post', busWish(flags), place);
  const extra = meta.length === 0 ? {} : { meta: metaOf(meta) };
  const message = await checkedMessage({ type, ...whoseMessage(found.path, place.env), ...extra, body: '' });
  const said = await messageBody(body ?? null, '--body');
  using bus = openBus(found, place);
  return tellPosted(await bus.post({ ...message, ...said }), bus.path, json);
}

export async function answerCommand(id: string, text: string | null, { json, ...flags }: BusFlags): Promise<number> {
  const place = busPlace();
  const found = theBus('read', busWish(flags), place);
  using bus = openBus(found, place);
  await refuseUnknownMessage(bus, id);
  const said = await messageBody(text, 'a second argument');
  const message = { type: 'ANSWER', ...whoseMessage(found.path, place.env), parents: [{ msg_id: id, kind: 'answer' }] };
  return tellPosted(await bus.post({ ...message, ...said }), bus.path, json);
}

export async function readCommand({ tail, since, type, follow, json, ...flags }: ReadFlags): Promise<number> {
  const place = busPlace();
  const reading: BusReading = { tail: countOf('--tail', tail), since: since ?? null, type: type ?? null };
  const found = theBus('read', busWish(flags), place);
  using bus = openBus(found, place);
  if (!follow && found.by !== 'environment') await refuseMissingBus(bus);
  const show = (message: BusMessage) => void surroundings().stdout.write(json ? messageJson(message) : messageText(message));
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
  const found = findBus('read', busWish(flags), place);
  if (found === null) {
    surroundings().stderr.write(
      `error: there is no message bus in ${place.cwd} or above it\nhint: Name its file with --bus, or its task with --project and --task.\n`,
    );
    return 1;
  }
  surroundings().stdout.write(json ? `${JSON.stringify({ bus: found.path, by: found.by })}\n` : `${found.path}\n`);
  return 0;
}

/** Works until somebody stops it, or nobody reads any more what it prints. */
async function untilCtrlC(work: (signal: AbortSignal) => Promise<void>): Promise<number> {
  using signalled = untilSignalled();
  using ending = linkSignal(signalled.signal);
  const nobodyReads = (error: Error) => ending.abort(error);
  const { stdout } = surroundings();
  stdout.once('error', nobodyReads);
  await work(ending.signal);
  stdout.off('error', nobodyReads);
  return signalled.exitCode();
}

function tellPosted(msg_id: string, bus: string, json: boolean | undefined): number {
  surroundings().stdout.write(json ? `${JSON.stringify({ msg_id, bus })}\n` : `${msg_id}\n`);
  return 0;
}
