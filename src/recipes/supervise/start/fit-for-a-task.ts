import { shellQuote } from '../../../kit/pure/shell-quote.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';

/**
 * What an agent needs beside its own flags to be at home in a task; what the operator says comes last, and wins. Codex runs commands in login
 * shells, which forget the PATH on which its `ralph` lies (/etc/profile sets a new one), and may write only where it works: DONE lies in the task folder.
 */
export function fitForATask(agent: RunSettings['agent'], taskFolder: string): RunSettings['agent'] {
  if (agent.kind !== 'codex') return agent;
  return { ...agent, flags: ['-c', 'allow_login_shell=false', '--add-dir', shellQuote(taskFolder), ...agent.flags] };
}
