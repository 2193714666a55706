import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Dialect, jsonReply, type Reply, requireTool, streamReply } from './dialect.ts';
import type { Answer, ApiError, ModelRequest, ToolCall, UsageLimit } from './scenario.ts';

const Part = z.object({ text: z.string().default('') });
const Texts = z.union([z.string().transform((text) => [{ text }]), z.array(Part)]);
const Message = z.object({ type: z.literal('message'), role: z.string(), content: Texts });
const ToolOutput = z.object({ type: z.enum(['function_call_output', 'custom_tool_call_output']), output: Texts });
const Item = z.union([Message, ToolOutput, z.object({ type: z.string() })]);
const Body = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  instructions: z.string().default(''),
  input: z.array(Item),
  tools: z.array(z.object({ type: z.string(), name: z.string().optional() })).default([]),
});
type Item = z.infer<typeof Item>;

const path = '/v1/responses';

/** Small and always the same; codex shows tokens and no cost. */
const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 120,
};

/** The longest codex allows: a slow machine must not turn a short command into a background session. */
const yieldMs = 30_000;

/** The OpenAI Responses API as codex speaks it, which is always streamed. */
export const openaiResponses: Dialect = { path, read, answer, refuse };

function read(headers: ModelRequest['headers'], raw: unknown): ModelRequest {
  const body = Body.parse(raw);
  const said = body.input.filter((item) => isMessage(item) && item.role === 'user').map(textOf);
  return {
    agent: 'codex',
    path,
    headers,
    model: body.model,
    streamed: body.stream,
    session: String(headers['session-id'] ?? ''),
    prompt: said.findLast((text) => !text.startsWith('<environment_context>')) ?? '',
    toolResults: body.input.filter(isToolOutput).map(textOf),
    transcript: [body.instructions, ...body.input.map(textOf)].join('\n'),
    body: JSON.stringify(raw),
    tools: body.tools.map((tool) => tool.name ?? tool.type),
  };
}

function isMessage(item: Item): item is z.infer<typeof Message> {
  return item.type === 'message' && 'content' in item;
}

function isToolOutput(item: Item): item is z.infer<typeof ToolOutput> {
  return (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') && 'output' in item;
}

function textOf(item: Item): string {
  if (isMessage(item)) return item.content.map((part) => part.text).join('\n');
  return isToolOutput(item) ? item.output.map((part) => part.text).join('\n') : '';
}

function answer({ text, tools }: Answer, request: ModelRequest): Reply {
  const id = `resp_${randomUUID()}`;
  const spoken = text === '' ? [] : [{ type: 'message', role: 'assistant', id: `msg_${randomUUID()}`, content: [{ type: 'output_text', text }] }];
  const items = [...spoken, ...tools.map((tool) => functionCall(tool, request))];
  return streamReply([
    { type: 'response.created', response: { id } },
    ...items.map((item, index) => ({ type: 'response.output_item.done', output_index: index, item })),
    { type: 'response.completed', response: { id, usage } },
  ]);
}

function functionCall(tool: ToolCall, request: ModelRequest) {
  const { name, input } =
    tool.kind === 'shell' ? { name: 'exec_command', input: { cmd: tool.command, yield_time_ms: yieldMs } as Readonly<Record<string, unknown>> } : tool;
  // Its patches are the one tool that takes plain text.
  if (name === 'apply_patch')
    return { type: 'custom_tool_call', id: `ctc_${randomUUID()}`, call_id: `call_${randomUUID()}`, name, input: String(input['input']) };
  return {
    type: 'function_call',
    id: `fc_${randomUUID()}`,
    call_id: `call_${randomUUID()}`,
    name: requireTool(name, tool, request),
    arguments: JSON.stringify(input),
  };
}

function refuse(refusal: ApiError | UsageLimit): Reply {
  if (refusal.kind === 'usage-limit') return refuseUntil(refusal.resetsAtMs);
  const error = { type: 'scripted_error', code: null, message: `scripted error ${refusal.status}` };
  return jsonReply(refusal.status, refusal.body || { error }, refusal.headers);
}

/** codex tells the time in words, from the body; the headers end up as numbers in its session file. */
function refuseUntil(resetsAtMs: number): Reply {
  const resetsAt = Math.ceil(resetsAtMs / 1000);
  const error = { type: 'usage_limit_reached', message: 'scripted usage limit', plan_type: 'plus', resets_at: resetsAt };
  const headers = { 'x-codex-primary-used-percent': '100', 'x-codex-primary-window-minutes': '300', 'x-codex-primary-reset-at': String(resetsAt) };
  return jsonReply(429, { error }, headers);
}
