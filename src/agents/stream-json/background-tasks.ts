import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { countIn, type JsonObject, objectIn, textIn } from '../json.ts';

const MAX_OPEN = 10_000;

/** The sub-agents and background commands of a claude stream, by the id of the tool call, which `parent_tool_use_id` names too. */
export interface BackgroundTasks {
  /** A sub-agent was called. Versions without task events report only this and the call's result. */
  called(id: string, input: JsonObject): readonly AgentEvent[];
  answered(id: string): readonly AgentEvent[];
  /** A `system` line of the `task_…` family. */
  taskEvent(line: JsonObject): readonly AgentEvent[];
  /** How many have begun and not ended. */
  running(): number;
}

export function openBackgroundTasks(): BackgroundTasks {
  const calls = new Set<string>();
  const running = new Map<string, string>();
  const ended = new Map<string, string>();

  function begun(line: JsonObject): readonly AgentEvent[] {
    const task = textIn(line['task_id']);
    const id = textIn(line['tool_use_id']) || task;
    if (running.size < MAX_OPEN) running.set(task, id);
    if (calls.delete(id)) return [];
    const kind = line['task_type'] === 'local_bash' ? 'shell' : 'agent';
    return [{ type: 'subagent.started', id, kind, ...described(line) }];
  }

  function end(task: string): void {
    const id = running.get(task);
    if (id === undefined) return;
    running.delete(task);
    if (ended.size < MAX_OPEN) ended.set(task, id);
  }

  /** The notification follows the end and has the tokens. */
  function announced(task: string, line: JsonObject): readonly AgentEvent[] {
    end(task);
    const id = ended.get(task);
    if (id === undefined) return [];
    ended.delete(task);
    const tokens = countIn(objectIn(line['usage'])?.['total_tokens']);
    return [{ type: 'subagent.finished', id, ...(tokens > 0 && { tokens }) }];
  }

  return {
    called(id, input) {
      if (calls.size < MAX_OPEN) calls.add(id);
      return [{ type: 'subagent.started', id, kind: 'agent', ...described(input) }];
    },
    answered: (id) => (calls.delete(id) ? [{ type: 'subagent.finished', id }] : []),
    taskEvent(line) {
      const task = textIn(line['task_id']);
      if (line['subtype'] === 'task_started') return begun(line);
      if (line['subtype'] === 'task_notification') return announced(task, line);
      if (line['subtype'] === 'task_updated' && isOver(statusOf(line))) end(task);
      return [];
    },
    running: () => running.size,
  };
}

/** Whether a line only says that claude stopped a task by itself: unlike a completed task, that starts no new turn. */
export function saysTaskWasStopped(line: JsonObject): boolean {
  if (line['type'] !== 'system') return false;
  if (line['subtype'] !== 'task_updated' && line['subtype'] !== 'task_notification') return false;
  const status = statusOf(line);
  return status === 'killed' || status === 'stopped';
}

function statusOf(line: JsonObject): unknown {
  return line['status'] ?? objectIn(line['patch'])?.['status'];
}

/** An update without a status, or with "running", ends nothing. */
function isOver(status: unknown): boolean {
  return typeof status === 'string' && status !== 'running' && status !== 'pending';
}

function described(source: JsonObject): { readonly description?: string } {
  const description = textIn(source['description']);
  return description === '' ? {} : { description };
}
