import type { AgentCall, CallSpec } from '../agent-definition.ts';

/** Without a message it reads stdin; one in argv would be put into quotes. Less than full autonomy is what its configuration allows. */
export function callOpencode({ autonomy, model, flags }: CallSpec): AgentCall {
  const args = ['run', '--format', 'json', ...(autonomy === 'full' ? ['--auto'] : []), ...(model === null ? [] : ['--model', model]), ...flags];
  return { args, env: {} };
}
