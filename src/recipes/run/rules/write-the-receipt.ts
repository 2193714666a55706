import type { Receipt } from '../../../journal/words/receipt.ts';
import type { EndRule, View } from '../../../engine/decide/recipe.ts';

/** After a good end of a loop that something has proven: what was proven, by what, and what it took. */
export const writeTheReceipt: EndRule = ({ outcome }, view) => {
  const { state, settings } = view;
  if (settings.loop === null || outcome.exit_code !== 0 || state.receipt !== null) return null;
  if (state.proof === null || state.proof.checks.length === 0) return null;
  return { kind: 'do', effect: { kind: 'write-receipt', key: 'receipt', iteration: 0, attempt: 0, receipt: receiptOf(view) } };
};

function receiptOf(view: View): Receipt {
  const { state, settings, nowMs } = view;
  const { tree = null, where = 'workspace', checks = [] } = state.proof ?? {};
  const last = state.commits.last;
  return {
    version: 1,
    run: state.run?.id ?? '',
    ralph: state.run?.ralph ?? '',
    task: settings.prompt.from === 'text' ? settings.prompt.text.slice(0, 500) : settings.prompt.path,
    commit: last !== null && last.tree === tree ? last.commit : null,
    tree,
    where,
    checks: checks.map(({ command, exitCode, durationMs, sha256, flaky }) => ({
      command,
      exit_code: exitCode,
      duration_ms: durationMs,
      output_sha256: sha256,
      flaky,
      was_red: redAtStart(view, command),
    })),
    agent: [settings.agent.command, ...settings.agent.flags].join(' '),
    model: settings.agent.model,
    cost_usd: state.spent.costKnown ? state.spent.costUsd : null,
    iterations: state.opened,
    written_at: nowMs,
  };
}

/** Null when nobody looked. */
function redAtStart({ state }: View, command: string): boolean | null {
  const found = state.baseline?.find((check) => check.command === command);
  return found ? !found.green : null;
}
