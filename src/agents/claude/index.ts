import type { JudgeAbilities } from '../../engine/ports/agent.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { AgentCall, AgentDefinition, CallSpec, TaskNeeds } from '../agent-definition.ts';
import { choosesOneOf, modelArgs } from '../command-words.ts';
import { openStreamJsonParser } from '../stream-json/stream-json.ts';
import { access } from './access.ts';

/** Claude Code. Its flags are stable, and asking for them would cost its start-up time, so it is not asked. */
export const claude: AgentDefinition = {
  name: 'claude',
  program: 'claude',
  outputFormat: 'events',
  // With all but the first, it exits with 1 in any format but stream-json.
  textUnless: ['--output-format', '--input-format', '--include-partial-messages', '--replay-user-messages'],
  call: callClaude,
  openParser: openStreamJsonParser,
  judge: judgeClaude,
  stopWith: 'interrupt',
  helpArgs: null,
  // Recorded with 2.1.197, except the login and the credit, which its stream tells as well.
  complaints: [
    { words: /^unknown option\b/, kind: 'flag' },
    { words: /^Input must be provided\b|requires --verbose$/, kind: 'flag' },
    { words: /cannot be used with root\/sudo privileges/, kind: 'flag' },
    { words: /^Invalid API key\b|^Not logged in\b|Please run \/login\b/, kind: 'auth' },
    { words: /^Credit balance is too low\b/, kind: 'billing' },
  ],
  refusalInLog: null,
  taskFlags: flagsForTask,
  planningArgs: ({ model, plugin }) => ['--plugin-dir', plugin, ...modelArgs(model), '/ralph:ralph-plan'],
  ...access,
  preflight: async () => (await import('./preflight.ts')).preflight,
};

const permissionFlags = ['--dangerously-skip-permissions', '--permission-mode'];

/** `-p` without a prompt reads it from stdin; stream-json needs `--verbose`. */
function callClaude(spec: CallSpec): AgentCall {
  const args = [
    '-p',
    '--output-format',
    ...(spec.output === 'text' ? ['text'] : ['stream-json', '--verbose']),
    ...permissionsOf(spec),
    ...modelArgs(spec.model),
    ...budgetOf(spec),
    ...onlyTheOperatorsOwn(spec),
    ...readOnly(spec),
    ...spec.flags,
  ];
  refuseRootWithoutSandbox(args, spec);
  // As root it must be told that it is in a sandbox. For any other user that variable would only make it retry longer.
  return { args, env: spec.isSandboxed && spec.asRoot ? { IS_SANDBOX: '1' } : {} };
}

/** In claude the skip flag overrides a permission mode, so the operator's own choice must replace ours. */
function permissionsOf({ autonomy, flags, judges }: CallSpec): readonly string[] {
  // An agent that may only read needs no permissions.
  if (judges || choosesOneOf(flags, permissionFlags)) return [];
  if (autonomy === 'full') return ['--dangerously-skip-permissions'];
  return autonomy === 'edits' ? ['--permission-mode', 'acceptEdits'] : [];
}

/** With edit permissions it would ask for a confirmation that nobody can give. */
function flagsForTask({ autonomy, commands }: TaskNeeds): readonly string[] {
  return autonomy === 'edits' && commands.length > 0 ? ['--allowedTools', ...commands.map((command) => `Bash(${command}:*)`)] : [];
}

/** Settings, hooks, servers and memory of the project may have been written by the agent under review. Our own hooks come by `--settings`, and stay. */
function onlyTheOperatorsOwn({ judges, flags }: CallSpec): readonly string[] {
  if (!judges || choosesOneOf(flags, ['--setting-sources'])) return [];
  return ['--setting-sources', 'user', ...(choosesOneOf(flags, ['--strict-mcp-config']) ? [] : ['--strict-mcp-config'])];
}

const toolFlags = ['--tools', '--mcp-config', '--agents', '--plugin-dir', '--setting-sources'];

/** Limits the available tools, whatever settings would allow. */
function readOnly({ judges, flags }: CallSpec): readonly string[] {
  return judges && !choosesOneOf(flags, ['--tools']) ? ['--tools', 'Read,Grep,Glob'] : [];
}

/** With tools, servers or settings of the operator's choice it is unknown what it can run. */
function judgeClaude(flags: readonly string[]): JudgeAbilities {
  return { isSealed: !choosesOneOf(flags, toolFlags), canRead: true };
}

/** Claude would exit at once with 1; one clear line before the first attempt is better. */
function refuseRootWithoutSandbox(args: readonly string[], { asRoot, isSandboxed, env }: CallSpec): void {
  const skips = args.some((arg) => arg === '--dangerously-skip-permissions' || arg.endsWith('bypassPermissions'));
  if (!skips || !asRoot || isSandboxed || env['IS_SANDBOX'] === '1') return;
  throw new OperatorError('claude-as-root', 'claude refuses to run without asking for permissions as root.', {
    hint: 'Run as another user, in a sandbox (--sandbox=os), set agent.autonomy to "edits", or set IS_SANDBOX=1 if this machine is a sandbox.',
    exitCode: 4,
  });
}

/** Claude stops by itself once it has spent this much, after at most one more request. Below a cent it would not begin. */
function budgetOf({ budgetUsd, flags }: CallSpec): readonly string[] {
  if (budgetUsd === null || choosesOneOf(flags, ['--max-budget-usd'])) return [];
  return ['--max-budget-usd', Math.max(0.01, budgetUsd).toFixed(4)];
}
