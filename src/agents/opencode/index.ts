import { NO_LOGIN } from '../../sandbox/agent-login.ts';
import type { AgentCall, AgentDefinition, CallSpec } from '../agent-definition.ts';
import { choosesOneOf, modelArgs } from '../command-words.ts';
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
  refusalInLog: (line) => STREAM_ERROR.exec(line.slice(0, LOG_CHARS))?.[1] ?? null,
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

const LOG_CHARS = 4_000;

/**
 * What it logs when the provider refuses a request of the agent itself, not of its titles: it then waits as long as the provider says, hours even, and prints
 * nothing (anomalyco/opencode#40747). Recorded with 1.18.33.
 */
const STREAM_ERROR = /^timestamp=\S+ level=ERROR .*\bmessage="stream error" .*\bsmall=false\b.* error\.error="(?:\w+: )?(.*)"$/;

/** Without a message it reads stdin; a message in argv would be quoted. Autonomy below full is left to its configuration. */
function callOpencode({ autonomy, model, flags }: CallSpec): AgentCall {
  const logs = [choosesOneOf(flags, ['--print-logs']) ? [] : ['--print-logs'], choosesOneOf(flags, ['--log-level']) ? [] : ['--log-level', 'ERROR']].flat();
  const args = ['run', '--format', 'json', ...logs, ...(autonomy === 'full' ? ['--auto'] : []), ...modelArgs(model), ...flags];
  return { args, env: {} };
}
