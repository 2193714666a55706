/** What we read of the JSON an agent gives its hooks. Nothing of it is believed to be there. */
export interface HookInput {
  readonly session: string;
  readonly cwd: string | null;
  readonly transcript: string | null;
  readonly isStopHookActive: boolean;
  /** Somebody who works for the agent, with a window of its own. */
  readonly isSubagent: boolean;
  readonly tool: string | null;
  readonly toolInput: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

export function readHookInput(input: unknown): HookInput {
  const fields = fieldsOf(input);
  return {
    session: textOf(fields['session_id']) ?? 'unknown',
    cwd: textOf(fields['cwd']),
    transcript: textOf(fields['transcript_path']),
    isStopHookActive: fields['stop_hook_active'] === true,
    isSubagent: textOf(fields['agent_id']) !== null,
    tool: textOf(fields['tool_name']),
    toolInput: fieldsOf(fields['tool_input']),
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
