import { join } from 'node:path';
import type { GateSpec, RunSettings } from '../../../settings/schema/run-settings.ts';
import type { CompleteSettings, SettingsFile } from '../../../settings/schema/settings-file.ts';
import { DEFAULTS } from '../../../settings/schema/settings-file.ts';
import type { WorkSpec } from '../../../settings/schema/work-spec.ts';
import { pricesIn } from '../../../settings/loop-settings.ts';
import { ms } from '../../../settings/run-limits.ts';
import { runSettings } from '../../../settings/run-settings.ts';
import { worktreeSettings } from '../../../settings/worktree-settings.ts';
import { fitForAPlan } from './fit-for-a-plan.ts';
import { WORK_DEFAULTS, type WorkWish } from './work-wish.ts';

interface WorkPlace {
  readonly cwd: string;
  readonly home: string;
  readonly base: string;
  readonly plan: WorkSpec['plan'];
  /** The plan's own commands, as they are now. */
  readonly verify: readonly string[];
}

/** The claim is a task's state, never a word; and the loop itself commits and merges. */
export function workSettings(file: SettingsFile, wish: WorkWish, place: WorkPlace): RunSettings {
  const { scm: _, reviews: __, requireChange: ___, ...kept } = file;
  const settings = runSettings(kept, { prompt: { from: 'text', text: '' }, over: wish.over }, place.cwd);
  const timeoutMs = ms(file.guardrailTimeout ?? DEFAULTS.guardrailTimeout);
  const known = new Set(settings.gates.map(({ command }) => command));
  const more = [...wish.checks, ...place.verify].filter((command) => !known.has(command));
  const gates = [...settings.gates, ...[...new Set(more)].map((command): GateSpec => ({ command, failAction: 'APPEND', hint: null, timeoutMs }))];
  return {
    ...settings,
    recipe: 'work',
    agent: fitForAPlan(settings.agent),
    claims: [],
    gates,
    includeIterationCount: false,
    // A graph is worked on as long as there is something to do.
    maximumIterations: wish.maxIterations ?? 0,
    lanes: wish.workers,
    requireChange: false,
    work: workSpec(file, wish, { ...place, timeoutMs }),
  };
}

function workSpec(file: SettingsFile, wish: WorkWish, { cwd, home, base, plan, timeoutMs }: WorkPlace & { readonly timeoutMs: number }): WorkSpec {
  const { title: _, copy, link, ...worktree } = worktreeSettings(file as Pick<CompleteSettings, 'worktree'>, cwd, '');
  return {
    ...WORK_DEFAULTS,
    ...wish.said,
    plan,
    home,
    base,
    filter: wish.filter,
    budget: wish.budget,
    prices: pricesIn(file.prices),
    worktree: { ...worktree, copy: [...copy], link: [...link] },
    verifyTimeoutMs: timeoutMs,
    logs: join(home, 'logs'),
  };
}
