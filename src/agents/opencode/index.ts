import { NO_LOGIN } from '../../sandbox/agent-login.ts';
import type { AgentCall, AgentDefinition, CallSpec } from '../agent-definition.ts';
import { modelArgs } from '../command-words.ts';
import { openOpencodeParser } from './parse.ts';

/**
 * opencode. It does not clean up on any signal, so none is tried before its process group is terminated. Its plain output (`run` without `--format`; read in
 * its source, never run by us) contains everything it says between tool calls, so its last message can be told only from its events.
 */
export const opencode: AgentDefinition = {
  name: 'opencode',
  program: 'opencode',
  outputFormat: 'events',
  textUnless: null,
  call: callOpencode,
  openParser: openOpencodeParser,
  judge: null,
  stopWith: 'terminate',
  helpArgs: null,
  // It answers an unknown flag with its help, whose last line describes an option.
  complaints: [{ words: /\[(?:boolean|string|number|array)\](?: \[default: .*\])?$/, kind: 'flag' }],
  taskFlags: () => [],
  planningArgs: ({ model, prompt }) => [...modelArgs(model), '--prompt', prompt],
  model: 'any',
  variables: ['OPENCODE_*'],
  sessionVariables: [],
  login: { ...NO_LOGIN, folders: ['.local/share/opencode'], files: ['.config/opencode'], sealed: ['.local/share/opencode/bin'], programs: ['.opencode/bin'] },
  obeys: ['opencode.json', 'opencode.jsonc', '.opencode'],
  dockerTemplate: 'opencode',
  preflight: async () => (await import('./preflight.ts')).preflight,
};

/** Without a message it reads stdin; a message in argv would be quoted. Autonomy below full is left to its configuration. */
function callOpencode({ autonomy, model, flags }: CallSpec): AgentCall {
  const args = ['run', '--format', 'json', ...(autonomy === 'full' ? ['--auto'] : []), ...modelArgs(model), ...flags];
  return { args, env: {} };
}
