import type { View } from '../../engine/decide/recipe.ts';
import type { Proof, ProvenBy } from '../../journal/state/state.ts';
import type { Receipt } from '../../journal/words/receipt.ts';

/** What was proven, and its cost. */
type About = Pick<Receipt, 'task' | 'commit' | 'tree' | 'merged' | 'cost_usd' | 'iterations'>;

/** The content of the receipt of a run, or of one task. */
export function receiptOf(view: View, { where, checks, judged }: Proof, { task, commit, tree, merged, cost_usd, iterations }: About): Receipt {
  const { state, settings, nowMs } = view;
  return {
    version: 1,
    run: state.run?.id ?? '',
    ralph: state.run?.ralph ?? '',
    task,
    commit,
    tree,
    ...(merged && { merged }),
    where,
    checks: checks.map(({ command, exitCode, durationMs, sha256, flaky, tests = null }) => ({
      command,
      exit_code: exitCode,
      duration_ms: durationMs,
      output_sha256: sha256,
      flaky,
      was_red: redAtStart(view, command),
      tests,
    })),
    ...provenBy(judged),
    sandbox: settings.wall.mode,
    agent: [settings.agent.command, ...settings.agent.flags].join(' '),
    model: settings.agent.model,
    cost_usd,
    iterations,
    written_at: nowMs,
  };
}

function provenBy(judged: ProvenBy | null): Pick<Receipt, 'proof'> {
  if (judged === null) return {};
  const { level, changed, allowed, allowedBy, allowedAtMs, gates, deciders, sealed } = judged;
  const checks = gates.map(({ command, state, files }) => ({ command, state, files: [...files] }));
  const allowance = { allowed: [...allowed], allowed_by: allowedBy, allowed_at: allowedAtMs };
  return { proof: { level, changed: [...changed], ...allowance, ...(deciders && { deciders }), checks, ...(sealed && { sealed }) } };
}

/** Null without a baseline. */
function redAtStart({ state }: View, command: string): boolean | null {
  const found = state.baseline?.find((check) => check.command === command);
  return found ? !found.green : null;
}
