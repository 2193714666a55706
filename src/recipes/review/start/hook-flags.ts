import { shellQuote } from '../../../kit/pure/shell-quote.ts';
import { hookCommand, hooksFor } from '../../../door/answer-hooks/hook-command.ts';

interface HookPlaces {
  readonly doorPath: string;
  /** The single-file entry. */
  readonly hookEntry: string;
  readonly node: string;
}

/** The flags that make a claude ask its loop by itself, whatever else the user's own settings have. */
export function hookFlags({ doorPath, hookEntry, node }: HookPlaces): readonly string[] {
  const places = { socket: shellQuote(doorPath), node: shellQuote(node), entry: shellQuote(hookEntry) };
  return ['--settings', JSON.stringify({ hooks: hooksFor((name) => hookCommand(name, places)) })];
}
