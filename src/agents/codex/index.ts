import type { JudgeAbilities } from '../../engine/ports/agent.ts';
import type { AgentCall, AgentDefinition, CallSpec, KnownFlags } from '../agent-definition.ts';
import { choosesOneOf } from '../command-words.ts';
import { openCodexParser } from './parse.ts';

/** Two names of the same flag. */
const eventFlags = ['--json', '--experimental-json'];

/** Codex CLI. Its sandbox flag depends on its version, so it is asked. */
export const codex: AgentDefinition = {
  name: 'codex',
  matches: (commandName) => commandName === 'codex',
  outputFormat: 'events',
  textUnless: eventFlags,
  call: callCodex,
  openParser: openCodexParser,
  judge: judgeCodex,
  stopWith: 'interrupt',
  reportsCost: false,
  helpArgs: ['exec', '--help'],
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
    ...(model === null || choosesOneOf(flags, ['--model', '-m']) ? [] : ['--model', model]),
    ...onlyTheOperatorsOwn(spec, known),
    ...flags,
    '-',
  ];
  return { args, env: {} };
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
