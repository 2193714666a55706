import { resolve } from 'node:path';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import type { WorkWish } from '../start/work-wish.ts';
import { currentDirectory } from '../../../cli/shared/current-directory.ts';
import { countOf, durationOf } from '../../../cli/shared/flag-values.ts';
import { settingsFromOptions } from '../../../cli/shared/settings-from-options.ts';
import type { WorkFlags } from './work-flags.ts';

const MOST_WORKERS = 64;

/** What a command line asks of a crew. */
export function workWish(flags: WorkFlags): WorkWish {
  return {
    plan: flags.plan ?? null,
    filter: { story: flags.story ?? null, milestone: flags.milestone ?? null, tags: [...(flags.tag ?? [])] },
    over: settingsFromOptions(agentFlags(flags)),
    checks: flags.check ?? [],
    workers: workersOf(flags.workers),
    maxIterations: countOf('--max-iterations', flags.maxIterations),
    allowDirty: flags.allowDirty === true,
    requireProof: flags.requireProof === true,
    said: saidIn(flags),
    budget: { costUsd: dollarsOf(flags.maxCost), timeMs: durationOf('--max-time', flags.maxTime) ?? 0 },
  };
}

/** Those that `ralph run` has too. */
export function agentFlags(flags: WorkFlags) {
  const { agent, agentKind, model, autonomy, idleTimeout, iterationTimeout, maxLimitWait, sandbox, allowHost, protect } = flags;
  const all = { agent, agentKind, model, autonomy, idleTimeout, iterationTimeout, maxLimitWait, sandbox, allowHost, protect };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function saidIn(flags: WorkFlags): WorkWish['said'] {
  const all = {
    pauseMs: durationOf('--pause', flags.pause),
    retryFailed: countOf('--retry-failed', flags.retryFailed),
    unprovenTries: countOf('--unproven-tries', flags.unprovenTries),
    resolveTries: countOf('--resolve-tries', flags.resolveTries),
    template: flags.template === undefined ? null : resolve(currentDirectory(), flags.template),
    promptCommand: flags.promptCommand ?? null,
    failOnBlocked: flags.failOnBlocked ?? null,
    maxFailures: countOf('--max-failures', flags.maxFailures),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

function workersOf(text: string | undefined): number {
  const workers = countOf('--workers', text) ?? 1;
  if (workers >= 1 && workers <= MOST_WORKERS) return workers;
  throw refused(`--workers must be between 1 and ${MOST_WORKERS}, not ${workers}`, 'For example 4.');
}

export function dollarsOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const dollars = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (dollars > 0) return dollars;
  throw refused(`--max-cost must be a number of dollars above 0, not "${text}"`, 'For example 5 or 0.50.');
}

function refused(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}
