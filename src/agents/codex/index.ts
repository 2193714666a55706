import type { JudgeAbilities } from '../../engine/ports/agent.ts';
import { NO_LOGIN } from '../../sandbox/agent-login.ts';
import type { AgentCall, AgentDefinition, CallSpec, KnownFlags, TaskNeeds } from '../agent-definition.ts';
import { choosesOneOf, modelArgs } from '../command-words.ts';
import { openCodexParser } from './parse.ts';

/** Two names of the same flag. */
const eventFlags = ['--json', '--experimental-json'];

/** Codex CLI. Its sandbox flag depends on its version, so it is asked. */
export const codex: AgentDefinition = {
  name: 'codex',
  program: 'codex',
  outputFormat: 'events',
  textUnless: eventFlags,
  call: callCodex,
  openParser: openCodexParser,
  judge: judgeCodex,
  stopWith: 'interrupt',
  preflight: async () => (await import('./preflight.ts')).preflight,
  helpArgs: ['exec', '--help'],
  complaints: [
    { words: /^unexpected argument\b|^invalid value\b|^unrecognized subcommand\b|^the argument '/, kind: 'flag' },
    { words: /^Not inside a trusted directory\b/, kind: 'flag' },
    { words: /^Not logged in\b/, kind: 'auth' },
  ],
  refusalInLog: null,
  taskFlags: flagsForTask,
  planningArgs: ({ model, prompt }) => [...modelArgs(model), prompt],
  model: { movedBy: ['OPENAI_BASE_URL'], hosts: ['api.openai.com', 'chatgpt.com'], login: ['auth.openai.com'], alsoAt: [], clouds: [] },
  variables: ['OPENAI_*', 'CODEX_*'],
  sessionVariables: [],
  login: {
    ...NO_LOGIN,
    folders: ['.codex'],
    sealed: [
      ...['config.toml', 'AGENTS.md', 'AGENTS.override.md', 'prompts', 'rules', 'skills', 'hooks', 'hooks.json', 'plugins', 'bin', 'packages'].map(
        (name) => `.codex/${name}`,
      ),
    ],
    unpacked: ['.codex/skills'],
    private: ['.codex/shell_snapshots'],
    movedBy: 'CODEX_HOME',
  },
  obeys: ['.codex', '.agents/skills'],
  dockerTemplate: 'codex',
};

const sandboxFlags = ['--sandbox', '-s', '--full-auto', '--dangerously-bypass-approvals-and-sandbox', '--yolo'];

/**
 * `-` reads the prompt from stdin, and comes last. A flag given twice is an error to codex (exit 2), so the operator's choice replaces ours. Without `--json`
 * only its last message is on stdout, all the rest on stderr.
 */
function callCodex(spec: CallSpec, known: KnownFlags): AgentCall {
  const { output, flags, model, insideGit } = spec;
  const args = [
    'exec',
    ...(output === 'text' || choosesOneOf(flags, eventFlags) ? [] : ['--json']),
    ...sandboxOf(spec, known),
    ...(insideGit || choosesOneOf(flags, ['--skip-git-repo-check']) ? [] : ['--skip-git-repo-check']),
    ...(choosesOneOf(flags, ['--model', '-m']) ? [] : modelArgs(model)),
    ...onlyTheOperatorsOwn(spec, known),
    ...flags,
    '-',
  ];
  return { args, env: {} };
}

/** It runs commands in login shells, which reset the PATH that contains `ralph` (/etc/profile sets a new one), and may write only where it works. */
function flagsForTask({ folder }: TaskNeeds): readonly string[] {
  return ['-c', 'allow_login_shell=false', ...(folder === null ? [] : ['--add-dir', folder])];
}

/** Rules, servers, skills and AGENTS.md of the project may have been written by the agent under review; and so may everything the shell runs. */
function onlyTheOperatorsOwn({ judges, cwd, flags }: CallSpec, known: KnownFlags): readonly string[] {
  if (!judges) return [];
  const tools = ['shell_tool', 'unified_exec', 'code_mode'].map((feature) => `features.${feature}=false`);
  const settings = [...tools, 'project_doc_max_bytes=0', 'skills.include_instructions=false', `projects={${JSON.stringify(cwd)}={trust_level="untrusted"}}`];
  const ignoresRules = known?.has('--ignore-rules') === true && !choosesOneOf(flags, ['--ignore-rules']);
  return [...(ignoresRules ? ['--ignore-rules'] : []), ...settings.flatMap((setting) => ['-c', setting])];
}

/** Codex never asks: what its sandbox forbids simply fails. Versions without `--sandbox` have `--full-auto`. */
function sandboxOf({ autonomy: asked, flags, isSandboxed, judges }: CallSpec, known: KnownFlags): readonly string[] {
  if (choosesOneOf(flags, sandboxFlags)) return [];
  // Without a shell only its patches are left, and in this mode they are refused.
  const autonomy = judges ? 'ask' : asked;
  // Sandboxes do not nest: inside ours, its own would refuse every command.
  if (isSandboxed && autonomy !== 'ask') return ['--dangerously-bypass-approvals-and-sandbox'];
  const offersSandbox = known === null || known.has('--sandbox');
  if (autonomy === 'ask') return offersSandbox ? ['--sandbox', 'read-only'] : [];
  return offersSandbox ? ['--sandbox', 'workspace-write'] : ['--full-auto'];
}

/** Settings that give it tools again. */
const TOOL_SETTING = /^(?:-c|--config=)?(?:features|mcp_servers|hooks|profile|profiles|tools)\b/;
const toolFlags = ['--enable', '--profile', '-p', ...sandboxFlags];

/** Without a shell it cannot read files either. */
function judgeCodex(flags: readonly string[]): JudgeAbilities {
  return { isSealed: !choosesOneOf(flags, toolFlags) && !flags.some((flag) => TOOL_SETTING.test(flag)), canRead: false };
}
