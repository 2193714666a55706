import type { AgentCall, CallSpec, KnownFlags } from '../agent-definition.ts';

const ownChoice = new Set(['--sandbox', '-s', '--full-auto', '--dangerously-bypass-approvals-and-sandbox', '--yolo']);

/** `-` reads the prompt from stdin and stands last: codex takes no option after it for its own. */
export function callCodex(spec: CallSpec, known: KnownFlags): AgentCall {
  const args = [
    'exec',
    '--json',
    ...sandboxOf(spec, known),
    ...(spec.insideGit || spec.flags.includes('--skip-git-repo-check') ? [] : ['--skip-git-repo-check']),
    ...(spec.model === null ? [] : ['--model', spec.model]),
    ...spec.flags,
    '-',
  ];
  return { args, env: {}, unsetEnv: [] };
}

/** Codex never asks: what the sandbox forbids fails. A second `--sandbox` is an error to it, so the operator's own replaces ours. */
function sandboxOf({ autonomy, flags }: CallSpec, known: KnownFlags): readonly string[] {
  if (flags.some((flag) => ownChoice.has(flag.split('=', 1)[0] ?? ''))) return [];
  const offersSandbox = known === null || known.has('--sandbox');
  if (autonomy === 'ask') return offersSandbox ? ['--sandbox', 'read-only'] : [];
  return offersSandbox ? ['--sandbox', 'workspace-write'] : ['--full-auto'];
}
