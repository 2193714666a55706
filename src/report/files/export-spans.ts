import { hash } from 'node:crypto';
import type { Projection } from '../../engine/contracts.ts';
import type { Effect } from '../../journal/effects/effect.ts';
import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import type { RunState } from '../../journal/state/state.ts';
import { VERSION } from '../../kit/files/version.ts';
import { agentOfAttempt } from '../../limits/agents.ts';

/** The version of OpenTelemetry's names for agents. */
const SCHEMA = 'https://opentelemetry.io/schemas/1.37.0';
const EVERY_MS = 2_000;
const REQUEST_MS = 5_000;
/** No run ends later for its collector. */
const LAST_MS = 2_000;
/** More wait for no collector. */
const MOST_WAITING = 5_000;
const MOST_AT_ONCE = 500;

type Value = string | number | boolean | null | undefined;

interface ExportOptions {
  /** The address of a collector, such as http://localhost:4318. */
  readonly url: string;
  /** `OTEL_EXPORTER_OTLP_HEADERS`: `name=value` with commas between. */
  readonly headers: string;
  readonly warn: (text: string) => void;
}

/** Sends a run to a collector of OpenTelemetry, as OTLP in JSON: a span for the run, each iteration and each effect, and what it cost at its end. */
export function exportSpans({ url, headers, warn }: ExportOptions): Projection {
  const waiting: object[] = [];
  const spans = openSpans((span) => void (waiting.length < MOST_WAITING && waiting.push(span)));
  let resource: object = {};
  let sending: Promise<void> | null = null;
  let isWarned = false;
  let endsMs = Number.POSITIVE_INFINITY;
  let call: AbortController | null = null;
  const giveUpAfter = (ms: number) => setTimeout(() => call?.abort(new Error('it does not answer')), ms);
  const post = async (path: string, body: object) => {
    const named = Object.fromEntries(headers.split(',').flatMap((each) => (each.includes('=') ? [splitOnce(each)] : [])));
    const init = { method: 'POST', headers: { ...named, 'content-type': 'application/json' }, body: JSON.stringify(body), redirect: 'error' as const };
    call = new AbortController();
    const bound = giveUpAfter(Math.min(REQUEST_MS, Math.max(0, endsMs - performance.now())));
    try {
      const answer = await fetch(`${url.replace(/\/+$/, '')}${path}`, { ...init, signal: call.signal });
      if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    } finally {
      clearTimeout(bound);
    }
  };
  const send = async () => {
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, MOST_AT_ONCE);
        await post('/v1/traces', { resourceSpans: [{ resource, scopeSpans: [{ scope: SCOPE, spans: batch }], schemaUrl: SCHEMA }] });
        waiting.splice(0, batch.length);
      }
    } catch (error) {
      if (!isWarned) warn(`the collector ${url} cannot be reached; Ralph tries again: ${(error as Error).message}`);
      isWarned = true;
    }
    sending = null;
  };
  const timer = setInterval(() => {
    sending ??= send();
  }, EVERY_MS).unref();
  let metrics: object[] = [];
  return {
    onEvent(event, state) {
      const id = state.run?.id ?? '';
      resource = { attributes: attributes({ 'service.name': 'ralph', 'service.version': VERSION, 'service.instance.id': id }) };
      spans.add(event, state);
      if (event.body.type === 'run.stopped') metrics = metricsOf(state, event.at);
    },
    async close() {
      clearInterval(timer);
      endsMs = performance.now() + LAST_MS;
      const bound = giveUpAfter(LAST_MS);
      await sending;
      await send();
      if (metrics.length > 0)
        await post('/v1/metrics', { resourceMetrics: [{ resource, scopeMetrics: [{ scope: SCOPE, metrics }], schemaUrl: SCHEMA }] }).catch(() => undefined);
      clearTimeout(bound);
    },
  };
}

const SCOPE = { name: 'ralph', version: VERSION };
const splitOnce = (text: string) => [text.slice(0, text.indexOf('=')).trim(), decodeURIComponent(text.slice(text.indexOf('=') + 1).trim())];
const nanos = (ms: number) => `${Math.round(ms * 1_000)}000`;

function attributes(values: Readonly<Record<string, Value>>): readonly object[] {
  return Object.entries(values).flatMap(([key, value]) => (value === null || value === undefined ? [] : [{ key, value: anyValue(value) }]));
}

function anyValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value };
  return typeof value === 'boolean' ? { boolValue: value } : Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

interface OpenSpan {
  readonly name: string;
  readonly parent: string;
  readonly known: Readonly<Record<string, Value>>;
}

/** Spans end with the event after which what they are about is not open any more. The ids come from the journal: a resumed run goes on in its trace. */
function openSpans(emit: (span: object) => void) {
  const open = new Map<string, OpenSpan & { readonly startMs: number }>();
  const end = (run: string, key: string, atMs: number, { body }: Pick<JournalEvent, 'body'>) => {
    const { name, startMs, parent, known } = open.get(key) ?? { name: '', startMs: atMs, parent: '', known: {} };
    open.delete(key);
    const ids = { traceId: hash('sha256', run).slice(0, 32), spanId: spanId(run, key), ...(parent !== '' && { parentSpanId: spanId(run, parent) }) };
    const times = { startTimeUnixNano: nanos(startMs), endTimeUnixNano: nanos(atMs) };
    emit({ ...ids, name, kind: 1, ...times, attributes: attributes({ 'ralph.run': run, ...known, ...told(body) }), status: { code: isBad(body) ? 2 : 0 } });
  };
  return {
    add({ body, at }: JournalEvent, state: RunState) {
      const id = state.run?.id ?? '';
      const now = openIn(state);
      for (const [key, span] of now) if (!open.has(key)) open.set(key, { ...span, startMs: at });
      // Inner ones first.
      for (const key of [...open.keys()].reverse()) if (!now.has(key)) end(id, key, at, { body });
    },
  };
}

/** What is open now, outer ones first. */
function openIn(state: RunState): ReadonlyMap<string, OpenSpan> {
  const { run, open, inFlight, stopped } = state;
  if (run === null || stopped !== null) return new Map();
  const sitting = `run~${run.sitting}`;
  return new Map<string, OpenSpan>([
    [sitting, { name: `ralph.${run.settings.recipe}`, parent: '', known: {} }],
    ...open.map(({ number, worker }) => {
      return [`${number}`, { name: 'ralph.iteration', parent: sitting, known: { 'ralph.iteration': number, 'ralph.worker': worker } }] as const;
    }),
    ...inFlight.map((effect) => {
      const parent = effect.iteration === 0 ? sitting : `${effect.iteration}`;
      return [effect.key, { name: `ralph.${effect.kind}`, parent, known: ofEffect(effect, state) }] as const;
    }),
  ]);
}

const spanId = (run: string, key: string) => hash('sha256', `${run}/${key}`).slice(0, 16);

function ofEffect(effect: Effect, { run, open }: RunState): Readonly<Record<string, Value>> {
  const at = open.find(({ number }) => number === effect.iteration);
  const known = { 'ralph.iteration': effect.iteration, 'ralph.task': at?.currentTask?.task.id ?? at?.turn?.story };
  if (effect.kind !== 'run-agent' || run === null) return known;
  const { kind, model } = agentOfAttempt(run.settings, effect);
  return { ...known, 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': kind, 'gen_ai.request.model': model, 'ralph.role': effect.role };
}

function told(body: EventBody): Readonly<Record<string, Value>> {
  if (body.type === 'run.stopped') return { 'ralph.stop_reason': body.outcome.stop_reason };
  if (body.type === 'iteration.closed') return { 'ralph.result': body.result };
  if (body.type !== 'attempt.ended') return {};
  const { spent, verdict } = body;
  const tokens = spent && { 'gen_ai.usage.input_tokens': spent.input + spent.cache_read + spent.cache_write, 'gen_ai.usage.output_tokens': spent.output };
  return { ...tokens, 'ralph.verdict': verdict, 'ralph.cost_usd': spent?.cost_usd };
}

function isBad(body: EventBody): boolean {
  if (body.type === 'attempt.ended') return body.verdict !== 'ok';
  return body.type === 'iteration.closed' ? body.result === 'failed' : body.type === 'run.stopped' && body.outcome.exit_code !== 0;
}

function metricsOf({ run, opened, spent }: RunState, atMs: number): object[] {
  const startedMs = run?.startedAtMs ?? atMs;
  const point = (value: number) => ({ startTimeUnixNano: nanos(startedMs), timeUnixNano: nanos(atMs), asDouble: value, attributes: [] });
  const sum = (name: string, unit: string, value: number) => ({
    name,
    unit,
    sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: [point(value)] },
  });
  return [
    sum('ralph.run.iterations', '{iteration}', opened),
    sum('ralph.run.cost', 'USD', spent.costUsd),
    sum('ralph.run.duration', 's', (atMs - startedMs) / 1_000),
  ];
}
