import type { RunSettings } from '../../../model/run-settings.ts';

/** How gates are called at the surface: seed 001 says guardrail, seed 004 check. */
export interface GateWords {
  readonly one: string;
  readonly many: string;
}

const guardrails: GateWords = { one: 'guardrail', many: 'guardrails' };
const checks: GateWords = { one: 'check', many: 'checks' };

export function gateWords(run: { readonly settings: RunSettings } | null): GateWords {
  return isLoop(run) ? checks : guardrails;
}

export function isLoop(run: { readonly settings: RunSettings } | null): boolean {
  return run?.settings.recipe === 'loop';
}

/** As the first word of a line. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
