import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bash, ends, turn } from '../support/claude-script.ts';
import { freePort } from '../support/postgres.ts';
import { openStage, WORK } from '../support/stage.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

async function openCollector() {
  const got: { readonly path: string; readonly key: unknown; readonly body: Record<string, never> }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      got.push({ path: request.url ?? '', key: request.headers['x-key'], body: JSON.parse(body) });
      response.end('{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const spans = (): readonly Span[] => got.flatMap(({ body }) => deep<Span>(body, 'spans'));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got, spans, close: () => server.close() };
}

/** Everything in the lists of that name, however deep they are. */
function deep<T>(value: unknown, name: string): T[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === name ? (inner as T[]) : deep<T>(inner, name)));
}

const loop = ['loop', 'Do the work.', '--agent', 'claude', '--check', 'sh check.sh', '--proof', 'off', '--json'];

it('a run is sent to a collector of OpenTelemetry as one tree of spans, with its cost', async () => {
  await using stage = await openStage([turn(bash(WORK), ...ends('COMPLETE'))]);
  const collector = await openCollector();
  const run = await stage.ralph(...loop, '--otel', collector.url);
  expect(run.code, run.stderr).toBe(0);
  collector.close();
  const spans = collector.spans();
  const named = (name: string) => spans.filter((span) => span.name === name);
  expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['ralph.loop', 'ralph.iteration', 'ralph.run-agent', 'ralph.run-gates']));
  expect([new Set(spans.map(({ traceId }) => traceId)).size, new Set(spans.map(({ spanId }) => spanId)).size]).toEqual([1, spans.length]);
  const ids = new Map(spans.map((span) => [span.spanId, span]));
  for (const span of spans) {
    expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
    expect(span.parentSpanId === undefined ? span.name : ids.has(span.parentSpanId)).toBe(span.parentSpanId === undefined ? 'ralph.loop' : true);
  }
  const agent = Object.fromEntries((named('ralph.run-agent')[0]?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));
  expect(agent).toMatchObject({ 'ralph.iteration': '1', 'ralph.verdict': 'ok', 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'claude' });
  expect(Number(agent['gen_ai.usage.output_tokens'])).toBeGreaterThan(0);
  expect(collector.got.at(-1)?.path).toBe('/v1/metrics');
  expect(deep<{ name: string }>(collector.got.at(-1)?.body, 'metrics').map(({ name }) => name)).toContain('ralph.run.cost');
});

it('a collector that takes a request and never answers holds up the end of a run for seconds only', async () => {
  await using stage = await openStage([turn(bash(WORK), ...ends('COMPLETE'))]);
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const run = await stage.ralph(...loop, '--otel', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const over = Date.now();
  server.closeAllConnections();
  server.close();
  expect([run.code, run.stderr.match(/the collector http:\S+ cannot be reached.*it does not answer/g)?.length], run.stderr).toEqual([0, 1]);
  const events = readFileSync(join(JSON.parse(run.stdout).run_folder, 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n');
  expect(over - JSON.parse(events.at(-1) ?? '').at).toBeLessThan(8_000);
});

it('a collector that cannot be reached harms no run, and an address that is none is refused', async () => {
  await using stage = await openStage([turn(bash(WORK), ...ends('COMPLETE'))]);
  const run = await stage.ralph(...loop, '--otel', `http://127.0.0.1:${await freePort()}`);
  expect([run.code, run.stderr.match(/the collector http:\S+ cannot be reached/g)?.length], run.stderr).toEqual([0, 1]);
  const refused = await stage.ralph(...loop, '--otel', 'localhost:4318');
  expect([refused.code, refused.stderr.split('\n')[0]]).toEqual([2, expect.stringContaining('otel must be an address that begins with http://')]);
});
