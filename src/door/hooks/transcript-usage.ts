export interface TranscriptUsage {
  /** All that was in the window with the last answer. */
  readonly tokens: number;
  readonly model: string | null;
}

/** Claude writes an error of its own as an answer of this model. */
const NO_MODEL = '<synthetic>';

/** The last request of the agent itself, from the end of its transcript; null: none is there. Its first line may be cut. */
export function transcriptUsage(tail: string): TranscriptUsage | null {
  for (let end = tail.length; end > 0; ) {
    const start = tail.lastIndexOf('\n', end - 1) + 1;
    const usage = usageIn(tail.slice(start, end));
    if (usage !== null) return usage;
    end = start - 1;
  }
  return null;
}

function usageIn(line: string): TranscriptUsage | null {
  if (!line.includes('"usage"') || !line.includes('"assistant"')) return null;
  const entry = parsed(line);
  if (entry?.type !== 'assistant' || entry.isSidechain === true) return null;
  const { usage, model = null } = entry.message ?? {};
  if (!usage || model === NO_MODEL) return null;
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = usage;
  const tokens = [input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens].reduce<number>((sum, part) => sum + count(part), 0);
  return tokens > 0 ? { tokens, model: typeof model === 'string' ? model : null } : null;
}

interface Entry {
  readonly type?: unknown;
  readonly isSidechain?: unknown;
  readonly message?: { readonly model?: unknown; readonly usage?: Readonly<Record<string, unknown>> | null } | null;
}

function parsed(line: string): Entry | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const count = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0);
