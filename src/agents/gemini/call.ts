import type { AgentCall, CallSpec } from '../agent-definition.ts';

/** Without `-p` it reads stdin. `auto_edit` is from its documents, not tested here. */
export function callGemini({ autonomy, model, flags }: CallSpec): AgentCall {
  const approval = { full: ['--approval-mode', 'yolo', '--skip-trust'], edits: ['--approval-mode', 'auto_edit', '--skip-trust'], ask: [] }[autonomy];
  return { args: ['--output-format', 'stream-json', ...approval, ...(model === null ? [] : ['--model', model]), ...flags], env: {} };
}
