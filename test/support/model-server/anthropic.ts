import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Dialect, jsonReply, type Reply, requireTool, type StreamEvent, streamReply } from './dialect.ts';
import type { Answer, ApiError, ModelRequest, ToolCall, UsageLimit } from './scenario.ts';

const Text = z.object({ type: z.literal('text'), text: z.string() });
const ToolResult = z.object({
  type: z.literal('tool_result'),
  content: z.union([z.string(), z.array(z.union([Text, z.object({ type: z.string() })]))]).default(''),
});
const Block = z.union([Text, ToolResult, z.object({ type: z.string() })]);
const Content = z.union([z.string().transform((text) => [{ type: 'text' as const, text }]), z.array(Block)]);
const Body = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  system: Content.default([]),
  messages: z.array(z.object({ role: z.string(), content: Content })),
  tools: z.array(z.object({ name: z.string() })).default([]),
});
type Block = z.infer<typeof Block>;

const path = '/v1/messages';

/** Small and always the same, so that a test can name what a run cost. */
const usage = { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 20 };

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** The Anthropic Messages API as claude speaks it. */
export const anthropicMessages: Dialect = { path, read, answer, refuse };

/** What claude asks on the side, with the answer that keeps it content. */
export const anthropicErrands: Readonly<Record<string, Reply>> = {
  'HEAD /': { status: 200, headers: {}, body: '' },
  'POST /v1/messages/count_tokens': jsonReply(200, { input_tokens: usage.input_tokens }),
};

function read(headers: ModelRequest['headers'], raw: unknown): ModelRequest {
  const body = Body.parse(raw);
  const blocks = [...body.system, ...body.messages.flatMap((message) => message.content)];
  const said = body.messages.flatMap((message) => (message.role === 'user' ? message.content : [])).filter(isText);
  return {
    agent: 'claude',
    path,
    headers,
    model: body.model,
    streamed: body.stream,
    session: String(headers['x-claude-code-session-id'] ?? ''),
    prompt: said.findLast((block) => !block.text.startsWith('<system-reminder>'))?.text ?? '',
    toolResults: blocks.filter(isToolResult).map(textOf),
    transcript: blocks.map(textOf).join('\n'),
    body: JSON.stringify(raw),
    tools: body.tools.map((tool) => tool.name),
  };
}

function isText(block: Block): block is z.infer<typeof Text> {
  return block.type === 'text' && 'text' in block;
}

function isToolResult(block: Block): block is z.infer<typeof ToolResult> {
  return block.type === 'tool_result' && 'content' in block;
}

function textOf(block: Block): string {
  if (isText(block)) return block.text;
  if (!isToolResult(block)) return '';
  return typeof block.content === 'string' ? block.content : block.content.map(textOf).join('\n');
}

function answer({ text, tools, thinking = '' }: Answer, request: ModelRequest): Reply {
  const thought = thinking === '' ? [] : [{ type: 'thinking' as const, thinking, signature: 'scripted' }];
  const spoken = text === '' ? [] : [{ type: 'text' as const, text }];
  const content = [...thought, ...spoken, ...tools.map((tool) => toolUse(tool, request))];
  const message = { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model: request.model, stop_sequence: null };
  const stopReason = tools.length > 0 ? 'tool_use' : 'end_turn';
  if (!request.streamed) return jsonReply(200, { ...message, content, stop_reason: stopReason, usage });
  return streamReply([
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } } },
    ...content.flatMap(blockEvents),
    { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
}

function toolUse(tool: ToolCall, request: ModelRequest) {
  const { name, input } = tool.kind === 'shell' ? { name: 'Bash', input: { command: tool.command } } : tool;
  return { type: 'tool_use' as const, id: `toolu_${randomUUID()}`, name: requireTool(name, tool, request), input };
}

type Content = z.infer<typeof Text> | ReturnType<typeof toolUse> | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string };

function blockEvents(block: Content, index: number): readonly StreamEvent[] {
  const [empty, ...deltas] = piecesOf(block);
  return [
    { type: 'content_block_start', index, content_block: empty },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

/** The block while it is empty, and what fills it. */
function piecesOf(block: Content): readonly object[] {
  switch (block.type) {
    case 'text':
      return [
        { ...block, text: '' },
        { type: 'text_delta', text: block.text },
      ];
    case 'thinking':
      return [
        { ...block, thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: block.thinking },
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'tool_use':
      return [
        { ...block, input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
      ];
  }
}

function refuse(refusal: ApiError | UsageLimit): Reply {
  if (refusal.kind === 'usage-limit') return refuseUntil(refusal.resetsAtMs);
  const type = errorTypes[refusal.status] ?? 'api_error';
  return jsonReply(refusal.status, refusal.body || errorBody(type, `scripted ${type}`), refusal.headers);
}

/** Only a subscriber's claude reads these headers; with an API key it is a 429 like any other. */
function refuseUntil(resetsAtMs: number): Reply {
  return jsonReply(429, errorBody('rate_limit_error', 'scripted usage limit'), {
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': String(Math.ceil(resetsAtMs / 1000)),
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-overage-status': 'rejected',
    'anthropic-ratelimit-unified-overage-disabled-reason': 'org_level_disabled',
  });
}

function errorBody(type: string, message: string) {
  return { type: 'error', error: { type, message } };
}
