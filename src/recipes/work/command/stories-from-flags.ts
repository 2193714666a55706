import { OperatorError } from '../../../kit/pure/operator-error.ts';
import type { StoriesWish } from '../../review/start/stories-wish.ts';
import { countOf, durationOf } from '../../../cli/shared/flag-values.ts';
import { settingsFromOptions } from '../../../cli/shared/settings-from-options.ts';
import { agentFlags, dollarsOf } from './wish-from-flags.ts';
import type { WorkFlags } from './work-flags.ts';

const FOR_STORIES = ['ralphDir', 'skipReview', 'reviewCap', 'reviews', 'reviewAgent', 'failOnCap', 'createBranch', 'wait'] as const;

const FOR_TASKS = [
  ...['story', 'milestone', 'tag', 'template', 'promptCommand', 'pause', 'retryFailed', 'unprovenTries', 'resolveTries', 'maxFailures', 'failOnBlocked'],
] as const;

const MOST_REVIEWERS = 9;

/** What a command line asks of a run on stories. */
export function storiesWish(flags: WorkFlags, plan: string): StoriesWish {
  refuseFlags(flags, FOR_TASKS, 'is for a plan of tasks, and this one has stories');
  refuseWorkers(flags.workers);
  return {
    plan,
    over: settingsFromOptions(agentFlags(flags)),
    checks: flags.check ?? [],
    maxIterations: countOf('--max-iterations', flags.maxIterations),
    allowDirty: flags.allowDirty === true,
    requireProof: flags.requireProof === true,
    createBranch: flags.createBranch === true,
    reviewAgent: flags.reviewAgent ?? null,
    said: saidIn(flags),
    budget: { costUsd: dollarsOf(flags.maxCost), timeMs: durationOf('--max-time', flags.maxTime) ?? 0 },
  };
}

/** What is said of a review means nothing for tasks. */
export function refuseStoryFlags(flags: WorkFlags): void {
  refuseFlags(flags, FOR_STORIES, 'is for the stories of a tasks.json, and this plan has tasks');
  if (flags.hooks === false) throw refused('--no-hooks is for the stories of a tasks.json, and this plan has tasks', 'Leave it out.');
}

function saidIn(flags: WorkFlags): StoriesWish['said'] {
  const all = {
    skipReview: flags.skipReview ?? null,
    reviewCap: atLeastOne('--review-cap', flags.reviewCap, Number.MAX_SAFE_INTEGER),
    reviewers: atLeastOne('--reviews', flags.reviews, MOST_REVIEWERS),
    failOnCap: flags.failOnCap ?? null,
    wait: flags.wait ?? null,
    hooks: flags.hooks ?? null,
  };
  if (all.skipReview && (flags.reviewCap ?? flags.reviews ?? flags.reviewAgent) !== undefined)
    throw refused('--skip-review leaves no review to be configured', 'Leave it out, or leave out --review-cap, --reviews and --review-agent.');
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

function atLeastOne(flag: string, text: string | undefined, most: number): number | null {
  const count = countOf(flag, text);
  if (count === null || (count >= 1 && count <= most)) return count;
  throw refused(`${flag} must be at least 1${most === MOST_REVIEWERS ? ` and at most ${most}` : ''}, not ${count}`, 'To do without reviews say --skip-review.');
}

function refuseWorkers(text: string | undefined): void {
  const workers = countOf('--workers', text) ?? 1;
  if (workers !== 1)
    throw refused('stories are worked on one after the other, on one branch', 'Leave --workers out, or write a task-graph.yaml for many at once.');
}

function refuseFlags(flags: WorkFlags, names: readonly string[], why: string): void {
  const given = names.find((name) => (flags as Readonly<Record<string, unknown>>)[name] !== undefined);
  if (given !== undefined)
    throw refused(`--${given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${why}`, 'Leave it out, or name another --plan.');
}

function refused(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}
