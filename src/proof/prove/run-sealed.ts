import { randomBytes, randomInt } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../engine/contracts.ts';
import type { CommandResult } from '../../engine/ports/command.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import { MOST_SEALED_RUNS, type SealedCounts } from '../../journal/words/proof.ts';
import { openCopiedFiles } from '../../workspace/copied-files.ts';
import { runIdOf } from '../../workspace/effects/scm-place.ts';
import { type Answered, judgeRound, linesFor, type Round, roundsOf } from '../sealed/questions.ts';
import { checksFor, countsOf, type SealedList } from '../sealed/sealed-list.ts';
import type { ProofCopy, SealedCall } from './proof-copy.ts';
import { readSealedFolder } from './sealed-folder.ts';

export interface SealedResult {
  readonly green: boolean;
  readonly counts: SealedCounts;
  readonly hint: string | null;
}

export interface SealedRequest {
  readonly key: string;
  readonly iteration: number;
  readonly attempt: number;
  /** The task that is about to be merged, or the story to pass; null for a run as a whole. */
  readonly task: string | null;
  /** How many runs of the sealed checks the journal has. */
  readonly runs: number;
}

interface SealedWorld {
  readonly copy: ProofCopy;
  readonly ports: Ports;
  readonly report: Report;
}

/** Runs that have begun since the effect was decided: workers merge one after the other, but decide in parallel. */
const begun = new WeakMap<Ports, number>();

/** The last step of a proof: runs the checks that only the operator knows. Null if there are none. */
export async function runSealed(request: SealedRequest, { copy, ports, report }: SealedWorld, signal: AbortSignal): Promise<SealedResult | null> {
  const folder = ports.settings.proof?.sealed;
  if (folder === undefined) return null;
  const { list: all, drivers } = readSealedFolder(folder);
  const list = request.task === null ? all : checksFor(all, request.task);
  if (list.checks.length === 0) return null;
  const { key, iteration, attempt } = request;
  const before = Math.max(request.runs, begun.get(ports) ?? 0);
  const counts = countsOf(list);
  if (before >= MOST_SEALED_RUNS) return { green: false, counts, hint: list.hint };
  begun.set(ports, before + 1);
  await report({ type: 'sealed.begun', key, iteration, attempt });
  const green = await areGreen({ list, drivers }, { copy, name: `${runIdOf(ports.place)}-${iteration}` }, signal);
  if (signal.aborted) return { green: false, counts, hint: null };
  if (green) begun.set(ports, before);
  await report({ type: 'sealed.judged', key, iteration, attempt, green, ...counts });
  return { green, counts, hint: list.hint };
}

/** Whether all sealed checks are green in a copy of the start, before any agent has worked. Nobody else learns of it, so it counts as no run of them. */
export async function areGreenAtStart(copy: ProofCopy, ports: Ports, signal: AbortSignal): Promise<boolean> {
  const folder = ports.settings.proof?.sealed;
  const sealed = folder === undefined ? null : readSealedFolder(folder);
  if (sealed === null || sealed.list.checks.length === 0) return false;
  return (await areGreen(sealed, { copy, name: `${runIdOf(ports.place)}-start` }, signal)) && !signal.aborted;
}

type Sealed = ReturnType<typeof readSealedFolder>;

async function areGreen({ list, drivers }: Sealed, { copy, name }: { readonly copy: ProofCopy; readonly name: string }, signal: AbortSignal): Promise<boolean> {
  using place = openSealedPlace(name);
  for (const file of drivers) place.files.write(join(DRIVERS, file.path), file);
  const ask = (call: SealedCall) => copy.runSealed(call, { drivers, from: join(place.path, DRIVERS), logFile: join(place.path, 'log') }, signal);
  return await areSatisfied(list, ask, signal);
}

type Ask = (call: SealedCall) => Promise<CommandResult>;

/** The first red check ends it, so that nobody learns which. */
async function areSatisfied(list: SealedList, ask: Ask, signal: AbortSignal): Promise<boolean> {
  for (const round of roundsOf(list, DICE)) {
    if (signal.aborted) return false;
    const { answers } = await askRound(round, list, ask);
    if (!answers.every(({ green }) => green)) return false;
  }
  return true;
}

export interface RoundAsked {
  readonly answers: readonly Answered[];
  readonly ran: CommandResult;
}

export async function askRound(round: Round, { timeoutMs }: SealedList, ask: Ask): Promise<RoundAsked> {
  const ran = await ask({ command: round.driver, stdin: linesFor(round), timeoutMs });
  const endedWell = ran.ending.kind === 'exited' && ran.ending.code === 0;
  return { ran, answers: judgeRound(round, { output: ran.output, endedWell }) };
}

export const DICE = { nonce: () => randomBytes(16).toString('hex'), below: (most: number) => randomInt(most) };

const DRIVERS = 'drivers';

/** A folder that only this user can enter, at a path that is empty inside a sandbox. What a dead process left there is removed first. */
function openSealedPlace(name: string) {
  const path = join(tmpdir(), `ralph-sealed-${name}`);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { mode: 0o700 });
  mkdirSync(join(path, DRIVERS));
  return { path, files: openCopiedFiles(path), [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}
