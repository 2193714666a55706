import type { RunSettings } from '../../settings/schema/run-settings.ts';

/** How gates are called at the surface: seed 001 says guardrail, everything else check. */
export interface GateWords {
  readonly one: string;
  readonly many: string;
}

const guardrails: GateWords = { one: 'guardrail', many: 'guardrails' };
const checks: GateWords = { one: 'check', many: 'checks' };

export function gateWords(run: { readonly settings: RunSettings } | null): GateWords {
  return saysChecks(run) ? checks : guardrails;
}

export function isLoop(run: { readonly settings: RunSettings } | null): boolean {
  return run?.settings.recipe === 'loop';
}

export function isSupervised(run: { readonly settings: RunSettings } | null): boolean {
  return (run?.settings.supervise ?? null) !== null;
}

export function isWork(run: { readonly settings: RunSettings } | null): boolean {
  return (run?.settings.work ?? null) !== null;
}

export function isStories(run: { readonly settings: RunSettings } | null): boolean {
  return (run?.settings.stories ?? null) !== null;
}

export function saysChecks(run: { readonly settings: RunSettings } | null): boolean {
  return isLoop(run) || isSupervised(run) || isWork(run) || isStories(run);
}

/** As the first word of a line. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
