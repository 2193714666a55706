import { OperatorError } from '../../kit/pure/operator-error.ts';
import { NO_LOGIN } from '../../sandbox/agent-login.ts';
import type { AgentCall, AgentDefinition, CallSpec, KnownFlags, ParserClock, PlanningSession, StreamParser } from '../agent-definition.ts';
import { refuseModel } from '../command-words.ts';
import { openStreamJsonParser } from '../stream-json/stream-json.ts';

/**
 * Amp, whose help calls its stream compatible with Claude Code's. We have never run it with a model: it cannot be pointed at a local one. So only a start without
 * a key is recorded, and the call is checked only as far as its option parser.
 */
export const amp: AgentDefinition = {
  name: 'amp',
  program: 'amp',
  outputFormat: 'events',
  textUnless: ['--stream-json', '--stream-json-thinking', '--stream-json-input'],
  call: callAmp,
  openParser: openAmpParser,
  judge: null,
  stopWith: 'interrupt',
  preflight: async () => (await import('./preflight.ts')).preflight,
  helpArgs: ['--help'],
  complaints: [{ words: /^unknown option\b/, kind: 'flag' }],
  refusalInLog: null,
  taskFlags: () => [],
  planningArgs: refusePlanning,
  model: { movedBy: ['AMP_URL'], hosts: ['ampcode.com'], login: [], alsoAt: [], clouds: [] },
  variables: ['AMP_*'],
  sessionVariables: [],
  login: { ...NO_LOGIN, folders: ['.local/share/amp'], files: ['.config/amp'], sealed: ['.local/share/amp/bin', '.local/share/amp/plugins'] },
  obeys: ['.amp', '.agents'],
  dockerTemplate: null,
};

/** Without a key it asks on stdout for a login in a browser, and waits. */
function openAmpParser(clock: ParserClock): StreamParser {
  const parser = openStreamJsonParser(clock);
  const line: StreamParser['line'] = (text) => (/^No API key found\b/.test(text) ? [{ type: 'error', kind: 'auth', message: text }] : parser.line(text));
  return { ...parser, line };
}

const ALLOW_ALL = '--dangerously-allow-all';

/**
 * `-x` without a message reads stdin. It comes last, so that no flag's value is taken for the message. Older versions need the allow-all flag; newer ones act
 * without asking and no longer name it in their help.
 */
function callAmp({ output, autonomy, model, flags }: CallSpec, known: KnownFlags): AgentCall {
  refuseModel('amp', model);
  const allowsAll = autonomy === 'full' && !flags.includes(ALLOW_ALL) && (known === null || known.has(ALLOW_ALL));
  const format = output === 'text' ? [] : ['--stream-json'];
  return { args: [...(allowsAll ? [ALLOW_ALL] : []), ...format, ...flags, '-x'], env: {} };
}

function refusePlanning({ plugin }: PlanningSession): never {
  throw new OperatorError('agent-takes-no-prompt', 'amp cannot be started at a terminal with a first prompt', {
    hint: `Start it yourself and say: do what ${plugin}/skills/ralph-plan/SKILL.md says. Or name another with --agent.`,
    exitCode: 2,
  });
}
