import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { anthropicErrands, anthropicMessages } from './anthropic.ts';
import { type Dialect, jsonReply, type Reply } from './dialect.ts';
import { openaiResponses } from './openai-responses.ts';
import { type RequestLog, type RequestLogWriter, requestLog } from './request-log.ts';
import { type ModelRequest, type PromptTurn, playScenario, type Scenario } from './scenario.ts';
import { say } from './turns.ts';

/** A model that follows a script, on loopback; real agents take it for their provider. */
export interface ModelServer extends RequestLog, AsyncDisposable {
  readonly url: string;
}

interface Play {
  readonly scenario: Scenario;
  readonly log: RequestLogWriter;
  readonly closing: AbortSignal;
}

const dialects: readonly Dialect[] = [anthropicMessages, openaiResponses];

/** Closing it also ends every request that hangs. */
export async function openModelServer(scenario: Scenario): Promise<ModelServer> {
  const log = requestLog();
  const closing = new AbortController();
  const play = { scenario, log, closing: closing.signal };
  const server = createServer((incoming, outgoing) => {
    void replyTo(incoming, play).then((reply) => {
      if (reply !== 'never') outgoing.writeHead(reply.status, reply.headers).end(reply.body);
    });
  });
  const url = await listen(server);
  return {
    ...log,
    url,
    async [Symbol.asyncDispose]() {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function replyTo(incoming: IncomingMessage, play: Play): Promise<Reply | 'never'> {
  const path = new URL(incoming.url ?? '/', 'http://loopback').pathname;
  const what = `${incoming.method} ${path}`;
  const errand = anthropicErrands[what];
  if (errand !== undefined) return errand;
  const dialect = dialects.find((candidate) => what === `POST ${candidate.path}`);
  if (dialect === undefined) {
    play.log.addStray(what);
    return jsonReply(404, {});
  }
  try {
    const request = dialect.read(incoming.headers, JSON.parse(await text(incoming)));
    return await answerTo(request, dialect, play);
  } catch (error) {
    // No agent retries a 400, and each prints its text: a mistake in the script shows in the agent's output.
    return jsonReply(400, { type: 'error', error: { type: 'invalid_request_error', message: String(error) } });
  }
}

async function answerTo(request: ModelRequest, dialect: Dialect, play: Play): Promise<Reply | 'never'> {
  if (request.tools.length === 0) {
    play.log.addErrand(request);
    return dialect.answer(say('ok'), request);
  }
  const turn = playScenario(play.scenario, request, play.log.addRequest(request));
  if (turn.kind !== 'slow') return takeTurn(turn, dialect, request);
  await delay(turn.delayMs, undefined, { signal: play.closing });
  return takeTurn(turn.turn, dialect, request);
}

function takeTurn(turn: PromptTurn, dialect: Dialect, request: ModelRequest): Reply | 'never' {
  switch (turn.kind) {
    case 'answer':
      return dialect.answer(turn, request);
    case 'error':
    case 'usage-limit':
      return dialect.refuse(turn);
    case 'hang':
      return 'never';
  }
}
