import { shellQuote } from '../../../kit/pure/shell-quote.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';

/** What the prompt of a task asks for, and nothing else. */
const ASKED_FOR = ['Bash(ralph task complete:*)', 'Bash(git add:*)', 'Bash(git commit:*)'].map(shellQuote);

/**
 * What an agent needs beside its own flags to complete a task; what the operator says comes last, and wins. Codex runs commands in login shells,
 * which forget the PATH on which its `ralph` lies. Claude that may only edit would be asked for a yes that nobody is there to give.
 */
export function fitForAPlan(agent: RunSettings['agent']): RunSettings['agent'] {
  const flags = flagsFor(agent);
  return flags.length === 0 ? agent : { ...agent, flags: [...flags, ...agent.flags] };
}

function flagsFor({ kind, autonomy }: RunSettings['agent']): readonly string[] {
  if (kind === 'codex') return ['-c', 'allow_login_shell=false'];
  return kind === 'claude' && autonomy === 'edits' ? ['--allowedTools', ...ASKED_FOR] : [];
}
