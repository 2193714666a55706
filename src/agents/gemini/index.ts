import { NO_LOGIN } from '../../sandbox/agent-login.ts';
import type { AgentCall, AgentDefinition, CallSpec } from '../agent-definition.ts';
import { modelArgs } from '../command-words.ts';
import { openGeminiParser } from './parse.ts';

/**
 * Gemini CLI. It ignores SIGINT as well as SIGTERM, so the shorter way to SIGKILL is taken. Its plain output (without `--output-format`; read in its source,
 * never run by us) contains everything it says between tool calls, so its last message can be told only from its events.
 */
export const gemini: AgentDefinition = {
  name: 'gemini',
  program: 'gemini',
  outputFormat: 'events',
  textUnless: null,
  call: callGemini,
  openParser: openGeminiParser,
  judge: null,
  stopWith: 'terminate',
  helpArgs: null,
  complaints: [
    { words: /^Unknown arguments?:/, kind: 'flag' },
    { words: /^Please set an Auth method\b/, kind: 'auth' },
  ],
  refusalInLog: null,
  taskFlags: () => [],
  planningArgs: ({ model, prompt }) => [...modelArgs(model), '--prompt-interactive', prompt],
  model: {
    movedBy: ['GOOGLE_GEMINI_BASE_URL', 'GOOGLE_VERTEX_BASE_URL', 'CODE_ASSIST_ENDPOINT'],
    hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'aiplatform.googleapis.com'],
    login: ['oauth2.googleapis.com'],
    alsoAt: [],
    clouds: [],
  },
  variables: ['GEMINI_*', 'GOOGLE_*'],
  sessionVariables: [],
  login: {
    ...NO_LOGIN,
    folders: ['.gemini'],
    sealed: ['settings.json', 'GEMINI.md', 'commands', 'extensions', 'policies', 'hooks', 'skills', 'agents', 'trustedFolders.json', '.env'].map(
      (name) => `.gemini/${name}`,
    ),
  },
  obeys: ['.gemini'],
  dockerTemplate: 'gemini',
  preflight: async () => (await import('./preflight.ts')).preflight,
};

/** Without `-p` it reads stdin. `auto_edit` is from its documents, not tested here. */
function callGemini({ autonomy, model, flags }: CallSpec): AgentCall {
  const approval = { full: ['--approval-mode', 'yolo', '--skip-trust'], edits: ['--approval-mode', 'auto_edit', '--skip-trust'], ask: [] }[autonomy];
  return { args: ['--output-format', 'stream-json', ...approval, ...modelArgs(model), ...flags], env: {} };
}
