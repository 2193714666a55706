import type { View } from '../../engine/decide/recipe.ts';
import type { Proof, ProvenBy } from '../../journal/state/state.ts';
import type { Receipt } from '../../journal/words/receipt.ts';
import { LEFT_OUT } from '../../proof/judge/proof-words.ts';

/** What was proven, and its cost. */
type About = Pick<Receipt, 'task' | 'commit' | 'tree' | 'merged' | 'story' | 'cost_usd' | 'iterations'>;

/** The content of the receipt of a run, or of one task or story. */
export function receiptOf(view: View, { where, checks, judged }: Proof, { task, commit, tree, merged, story, cost_usd, iterations }: About): Receipt {
  const { state, settings, nowMs } = view;
  return {
    version: 1,
    run: state.run?.id ?? '',
    ralph: state.run?.ralph ?? '',
    task,
    commit,
    tree,
    ...(merged && { merged }),
    ...(story && { story }),
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
    ...provenBy(judged ?? leftOut(view)),
    sandbox: settings.wall.mode,
    agent: [settings.agent.command, ...settings.agent.flags].join(' '),
    model: settings.agent.model,
    cost_usd,
    iterations,
    written_at: nowMs,
  };
}

type Told = Pick<ProvenBy, 'level' | 'changed' | 'allowed' | 'allowedBy' | 'allowedAtMs' | 'gates' | 'deciders' | 'sealed'>;

/** If the settings leave every gate out of the proof, the receipt says so; null if there is something else to tell, or nothing. */
function leftOut({ settings: { gates, proof } }: View): Told | null {
  if (proof === undefined || gates.length === 0 || gates.some((gate) => gate.proof !== 'off')) return null;
  const lives = gates.map(({ command }) => ({ command, state: 'unknown' as const, files: [], why: `${LEFT_OUT}: not shown to be alive` }));
  return { level: 'place', changed: [], allowed: [], allowedBy: null, allowedAtMs: null, gates: lives };
}

function provenBy(judged: Told | null): Pick<Receipt, 'proof'> {
  if (judged === null) return {};
  const { level, changed, allowed, allowedBy, allowedAtMs, gates, deciders, sealed } = judged;
  const checks = gates.map(({ command, state, files, why }) => ({ command, state, files: [...files], ...(why !== '' && { why }) }));
  const allowance = { allowed: [...allowed], allowed_by: allowedBy, allowed_at: allowedAtMs };
  return { proof: { level, changed: [...changed], ...allowance, ...(deciders && { deciders }), checks, ...(sealed && { sealed }) } };
}

/** Null without a baseline. */
function redAtStart({ state }: View, command: string): boolean | null {
  const found = state.baseline?.find((check) => check.command === command);
  return found ? !found.green : null;
}
