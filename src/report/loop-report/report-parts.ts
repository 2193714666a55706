import { fineCostText, secondsText } from '../console/spent-text.ts';
import type { LoopReport, ReportedCheck, ReportedIteration } from './loop-report.ts';
import { codeText, outputBlock, plainText, table } from './markdown-text.ts';

const TITLE_CHARS = 120;
const SHOWN_FILES = 200;

/** The task on one line. */
export function titleOf({ task, spec }: LoopReport): string {
  return plainText((spec ?? task).trim().split('\n')[0] ?? '', TITLE_CHARS);
}

/** One line of the summary for every known fact. */
export function factsOf(report: LoopReport): readonly (readonly [string, string])[] {
  const { agent, model, worktree, receipt, iterations } = report;
  return [
    ['Status', report.status],
    ['Stop reason', report.stop_reason ?? 'none: it did not end'],
    ['Task', titleOf(report)],
    ['Agent', `${codeText(agent)}${model === null ? '' : `, model ${plainText(model)}`}`],
    ['Iterations', `${iterations.length}`],
    ['Total cost', `${fineCostText(report.total_cost)}${report.cost_is_estimated ? ' (estimated)' : ''}`],
    ['Duration', secondsText(report.duration_seconds * 1000)],
    ['Run', plainText(report.run_id)],
    ['Sandbox', sandboxText(report.sandbox)],
    ...(worktree ? [['Worktree', `${codeText(worktree.path)}, branch ${codeText(worktree.branch)}`] as const] : []),
    ...(receipt ? [['Receipt', codeText(receipt.commit === null ? receipt.file : `ralph verify ${receipt.commit}`)] as const] : []),
  ];
}

/** Which sandbox was used, and what it refused. */
function sandboxText({ mode, gates, refused, refused_count }: LoopReport['sandbox']): string {
  const where = mode !== 'guard' && gates === 'host' ? ', checks on the host' : '';
  if (refused_count === 0) return `${mode}${where}`;
  const more = refused_count - refused.length;
  return `${mode}${where}; refused: ${refused.map(({ what, target }) => `${what} ${codeText(target)}`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function iterationTable({ iterations }: LoopReport): string {
  if (iterations.length === 0) return '';
  return table(['Iteration', 'Result', 'Checks', 'Tag', 'Steps', 'Cost', 'Duration'], iterations.map(iterationRow));
}

function iterationRow(iteration: ReportedIteration): readonly string[] {
  const { check_results, completion_tag_found, steps, cost, duration } = iteration;
  const passed = check_results.filter((check) => check.passed).length;
  return [
    `${iteration.iteration}`,
    hasPassed(iteration) ? 'PASS' : 'FAIL',
    check_results.length === 0 ? 'not run' : `${passed}/${check_results.length}`,
    completion_tag_found ? 'yes' : 'no',
    `${steps}`,
    fineCostText(cost),
    secondsText(duration * 1000),
  ];
}

function hasPassed({ all_checks_passed, clean_check_results, restored, error }: ReportedIteration): boolean {
  return all_checks_passed && error === null && restored.length === 0 && (clean_check_results ?? []).every(({ passed }) => passed);
}

/** Each check before the first iteration and at the end. */
export function checkTable({ checks, baseline, iterations }: LoopReport): string {
  const last = iterations.findLast(({ check_results }) => check_results.length > 0);
  if (!last) return '';
  const inFresh = last.clean_check_results === null ? [] : ['Fresh checkout'];
  const rows = checks.map((name) => [
    codeText(name),
    verdictIn(baseline, name),
    verdictIn(last.check_results, name),
    ...(last.clean_check_results === null ? [] : [verdictIn(last.clean_check_results, name)]),
  ]);
  return table(['Check', 'At the start', 'At the end', ...inFresh], rows);
}

function verdictIn(checks: readonly ReportedCheck[] | null, name: string): string {
  const found = checks?.find((check) => check.name === name);
  if (!found) return 'not run';
  return found.passed ? `PASS${found.flaky ? ' (flaky)' : ''}` : 'FAIL';
}

/** The output of the checks that are red at the end. */
export function redOutputs({ iterations }: LoopReport): readonly { readonly name: string; readonly block: string }[] {
  const last = iterations.at(-1);
  const checks = [...(last?.check_results ?? []), ...(last?.clean_check_results ?? [])];
  return checks.filter(({ passed }) => !passed).map(({ name, output }) => ({ name: codeText(name), block: outputBlock(output) }));
}

export function fileList({ files_modified }: LoopReport): string {
  const files = files_modified ?? [];
  const hidden = files.length - SHOWN_FILES;
  return [...files.slice(0, SHOWN_FILES).map((file) => `- ${codeText(file)}`), ...(hidden > 0 ? [`- and ${hidden} more`] : [])].join('\n');
}

export function errorList({ errors }: LoopReport): string {
  return errors.map((error) => `- ${plainText(error)}`).join('\n');
}
