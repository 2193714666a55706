import { createHash } from 'node:crypto';
import type { TreeFile } from '../../engine/ports/git.ts';
import type { Prove } from '../../journal/effects/effect.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import type { ChangedDecider, DeciderDigests, GateLife, ProofVerdict } from '../../journal/words/proof.ts';
import { oneLine } from '../../kit/pure/text.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { type BasePass, basePass, type Change } from '../deciders/base-deciders.ts';
import { tookOver } from '../deciders/changes/took-over.ts';
import { matcherOf } from '../deciders/globs.ts';
import { type GateSight, lookAtGate } from '../deciders/look-at-gate.ts';
import type { Repository } from '../deciders/repository.ts';
import { meantBy, usedByTests, withUsed } from '../deciders/used-by-tests/used-by-tests.ts';
import { heldReason, LEFT_OUT, SUSPECT } from '../judge/proof-words.ts';
import { fewerTests, fewerWhenGreen } from './fewer-tests.ts';
import { leftUnchecked } from './left-unchecked.ts';
import { lifeOf, unasked } from './life.ts';
import type { Files, ProofCopy, TreeSight } from './proof-copy.ts';
import type { SealedResult } from './run-sealed.ts';

export interface Proved {
  readonly verdict: ProofVerdict;
  /** The gates' results in the pass that the verdict is based on. */
  readonly results: readonly GateResult[];
  readonly gates: readonly GateLife[];
  readonly changed: readonly ChangedDecider[];
  readonly allowed: readonly string[];
  readonly deciders: DeciderDigests;
  readonly isLiving: boolean;
  /** Null if the sealed checks did not run. */
  readonly sealed: SealedResult | null;
}

type Wish = Pick<Prove, 'gates' | 'level' | 'may_change' | 'living' | 'seen_clean' | 'seen_tests' | 'without'> & {
  /** The tree whose deciders count. */
  readonly base: TreeSight;
  /** Runs the sealed checks in the copy as it is then. */
  readonly askSealed: () => Promise<SealedResult | null>;
};

/**
 * Runs the gates in the copy, then with planted failures, then with the base's deciders if they were changed, then the sealed checks: each step only if all
 * before it were good. A held claim has to satisfy the sealed checks too: a person may let it pass, but sees only the other checks.
 */
export async function proveIn(copy: ProofCopy, asked: Wish, signal: AbortSignal): Promise<Proved> {
  const request = { ...asked, gates: asked.gates.filter(({ proof }) => proof !== 'off') };
  const off = unasked(
    asked.gates.filter(({ proof }) => proof === 'off'),
    LEFT_OUT,
  );
  const before = await readBefore(request, copy);
  const { changed, allowed, deciders } = before;
  const clean = request.seen_clean ? [] : await copy.runAll(request.gates, signal);
  const proved = (verdict: ProofVerdict, results: readonly GateResult[], gates: readonly GateLife[] = []): Proved => {
    const isLiving = gates.some(({ state }) => state === 'living');
    return { verdict, results, gates: [...gates, ...off], changed, allowed, deciders, isLiving, sealed: null };
  };
  if (signal.aborted) return proved('red', clean);
  // A copy at another path may be red only because of that, and so may work that depends on files git does not see, or has no commit of: a person decides.
  if (!areGreen(clean)) return copy.isStandIn && request.without === undefined ? proved('red', clean) : await afterSealed(proved('held', clean), request);
  const written = await writtenByGates(before, copy);
  if (written.length > 0) return await afterSealed({ ...proved('held', clean), changed: written }, request);
  const gates = request.level === 'living' ? await livesOf(request, { copy, before }, signal) : unasked(request.gates, NO_MORE_THAN_GREEN);
  if (gates.some(({ state }) => state === 'dead')) return proved('dead', clean, gates);
  const held = await heldBy(copy, { wish: request, before, gates, clean }, signal);
  if (held !== null) {
    await copy.restore(before.edits.map(({ path }) => path));
    return await afterSealed({ ...proved('held', held.results, gates), changed: held.changed }, request);
  }
  const dead = await gatesDeadInRemovedTests(request, { copy, before }, signal);
  if (dead.length > 0) return proved('dead', clean, dead);
  return await afterSealed(proved('proven', clean, gates), request);
}

const NO_MORE_THAN_GREEN = 'has no failures planted, because the settings ask for no more than green';

interface Standing {
  readonly wish: Wish;
  readonly before: Before;
  readonly gates: readonly GateLife[];
  readonly clean: readonly GateResult[];
}

/** Changes without which it is not green; if no decider was changed, fewer tests than before. Null if nothing holds the claim. */
async function heldBy(copy: ProofCopy, { wish, before, gates, clean }: Standing, signal: AbortSignal): Promise<Pick<Proved, 'results' | 'changed'> | null> {
  const { changed, allowed, edits } = before;
  const counted = clean.length > 0 ? clean.map(({ gate, tests }) => ({ command: gate.command, tests })) : (wish.seen_tests ?? []);
  const looking = { copy, lives: gates, sights: before.sights, gates: wish.gates, counted, mayChange: wish.may_change };
  const bent = [...bentTests(gates, wish), ...(await unchecked(copy, { wish, before, gates, clean }, signal))];
  if (bent.length === 0) bent.push(...(await fewerWhenGreen(looking, signal)));
  if (bent.length > 0) return { results: clean, changed: [...changed, ...bent] };
  if (changed.length === 0) {
    const fewer = allowed.length > 0 ? [] : fewerTests(gates, wish);
    return fewer.length > 0 ? { results: clean, changed: fewer } : null;
  }
  await copy.renew();
  await copy.apply(edits);
  const results = await copy.runBased(wish.gates, signal);
  return areGreen(results) ? null : { results, changed };
}

/** Code that was put where no check looks. A person may allow it. */
async function unchecked(copy: ProofCopy, { wish, before }: Standing, signal: AbortSignal): Promise<readonly ChangedDecider[]> {
  if (wish.level !== 'living') return [];
  const { base, sights } = before;
  const isAllowed = matcherOf(wish.may_change);
  const taken = await tookOver({ changes: changesBetween(base.files, copy.files).filter(({ path }) => !isAllowed(path)), base, claimed: copy });
  return taken.length === 0 ? [] : await leftUnchecked({ gates: wish.gates, sights, base, copy, tookOver: taken }, signal);
}

async function afterSealed(proved: Proved, { askSealed }: Wish): Promise<Proved> {
  const sealed = await askSealed();
  return sealed === null || sealed.green ? { ...proved, sealed } : { ...proved, verdict: 'sealed', sealed };
}

const areGreen = (results: readonly GateResult[]) => results.every(({ green }) => green);

interface Before extends BasePass {
  readonly base: Repository & { readonly files: Files };
  readonly sights: readonly GateSight[];
  readonly allowed: readonly string[];
  readonly deciders: DeciderDigests;
  /** The contents of the files that gates compare with, before any gate has run. */
  readonly measures: ReadonlyMap<string, string>;
}

const MOST_MEASURES = 2_000;

/** A gate must not write a file that it compares with, unless its own commands do so: it would compare its own work. */
async function writtenByGates({ measures }: Before, copy: ProofCopy): Promise<readonly ChangedDecider[]> {
  const written: ChangedDecider[] = [];
  for (const [path, text] of measures) {
    if (((await copy.read(path)) ?? '') !== text) written.push({ path, why: SUSPECT.written });
  }
  return written;
}

/** Everything in the claimed tree is read before any of it runs. */
async function readBefore({ gates, base, may_change }: Wish, copy: ProofCopy): Promise<Before> {
  const plain = await Promise.all(gates.map(({ command }) => lookAtGate(command, copy.below, base)));
  const isAllowed = matcherOf(may_change);
  const changes = changesBetween(base.files, copy.files);
  const used = await usedByTests(meantBy(changes, base), plain, base);
  const sights = plain.map((sight) => withUsed(sight, used));
  const pass = await basePass({ sights, changes, base, claimed: copy, mayChange: isAllowed });
  const isDecider = (path: string) => sights.some((sight) => sight.decides(path) !== null);
  const deciders = digestsOf({ base: base.files, claimed: copy.files }, isDecider);
  const isMeasured = (path: string) => !isAllowed(path) && base.files.has(path) && plain.some((sight) => isCompared(sight, path));
  const measures = new Map<string, string>();
  for (const path of [...copy.files.keys()].filter(isMeasured).slice(0, MOST_MEASURES)) measures.set(path, (await copy.read(path)) ?? '');
  return { ...pass, base, sights, deciders, measures, allowed: changes.map(({ path }) => path).filter((path) => isAllowed(path) && isDecider(path)) };
}

/** Snapshots do not count: runners add new ones to them. */
const isCompared = (sight: GateSight, path: string) => sight.isMeasure(path) && !sight.isWritten(path);

function digestsOf({ base, claimed }: { readonly base: Files; readonly claimed: Files }, isDecider: (path: string) => boolean): DeciderDigests {
  const deciders = [...claimed].filter(([path]) => isDecider(path));
  return { count: deciders.length, sha256: listDigest(deciders), base_sha256: listDigest([...base].filter(([path]) => isDecider(path))) };
}

/** A digest of the lines that `git ls-tree -r -z` prints for them, in its order. */
function listDigest(files: readonly (readonly [string, TreeFile])[]): string {
  const lines = files.map(([path, { mode, id }]) => `${mode} blob ${id}\t${path}\0`);
  return createHash('sha256').update(lines.join('')).digest('hex');
}

export function changesBetween(base: Files, claimed: Files): readonly Change[] {
  const gone = [...base.keys()].filter((path) => !claimed.has(path)).map((path) => ({ path, kind: 'removed' as const }));
  const come = [...claimed].flatMap(([path, { mode, id }]): readonly Change[] => {
    const was = base.get(path);
    if (was === undefined) return [{ path, kind: 'added' }];
    return was.id === id && was.mode === mode ? [] : [{ path, kind: 'changed' }];
  });
  return [...gone, ...come];
}

interface InHand {
  readonly copy: ProofCopy;
  readonly before: Before;
}

/** Plants failures in what the gates ran at the start. If they ran nothing then, or tests have moved since, also in what they run now. */
async function livesOf(request: Wish, { copy, before }: InHand, signal: AbortSignal): Promise<readonly GateLife[]> {
  const lives: GateLife[] = [];
  for (const [index, gate] of request.gates.entries()) {
    const life = lifeAtStart(request, gate);
    const known = before.sights[index];
    const isWhole = life?.files.every((path) => copy.files.has(path)) === true;
    const now = isWhole && known !== undefined ? known : await lookAtGate(gate.command, copy.below, copy);
    const sight = now.runners.length > 0 || known === undefined ? now : known;
    const moved = life === null || isWhole ? [] : now.tests.filter((path) => !before.base.files.has(path));
    lives.push(await lifeOf({ gate, copy, sight, before: life, moved, claim: { start: startOf(request, gate) } }, signal));
  }
  return lives;
}

const startOf = ({ living }: Wish, gate: GateSpec) => living.find(({ command }) => command === gate.command) ?? null;

function lifeAtStart(wish: Wish, gate: GateSpec): GateLife | null {
  const start = startOf(wish, gate);
  return start?.state === 'living' ? start : null;
}

/** The agent removed tests, and the copy has them again from the base. They count as green only if the gate still notices failures planted in them. */
async function gatesDeadInRemovedTests(request: Wish, { copy, before }: InHand, signal: AbortSignal): Promise<readonly GateLife[]> {
  const { base, edits, sights } = before;
  const isBack = new Set(edits.filter(({ to }) => to === 'base').map(({ path }) => path));
  const withBase = { ...copy, files: base.files, read: base.read };
  const dead: GateLife[] = [];
  for (const [index, gate] of request.gates.entries()) {
    const [life, sight] = [lifeAtStart(request, gate), sights[index]];
    const removed = life?.files.filter((path) => isBack.has(path) && !copy.files.has(path)) ?? [];
    if (request.level !== 'living' || life === null || sight === undefined || removed.length === 0) continue;
    const { tests: _, ...rest } = life;
    dead.push(await lifeOf({ gate, copy: withBase, sight, before: { ...rest, files: removed }, moved: [] }, signal));
  }
  return dead.filter(({ state }) => state === 'dead');
}

/** Unchanged tests that can no longer fail: something disables them, or changes what they compare with. A person may allow it. */
export function bentTests(lives: readonly GateLife[], { may_change }: Pick<Wish, 'may_change'>): readonly ChangedDecider[] {
  const isAllowed = matcherOf(may_change);
  return lives.flatMap(({ bent = [], named = [], state }) =>
    [
      ...bent.map((path) => ({ path, why: state === 'living' ? SUSPECT.bent : SUSPECT.unmoved })),
      ...named.map((path) => ({ path, why: SUSPECT.named })),
    ].filter(({ path }) => !isAllowed(path)),
  );
}

/** An interrupted proof says nothing about the work or the gates. */
export function verdictOf(proved: Seen, { isCutOff, isTooLate }: { readonly isCutOff: boolean; readonly isTooLate: boolean }) {
  if (isCutOff) return { verdict: 'red', reason: 'The proof was cut off' } as const;
  if (isTooLate) return { verdict: 'red', reason: 'The time of the run was up before the claim was proven' } as const;
  return { verdict: proved.verdict, reason: reasonFor(proved) };
}

type Seen = Pick<Proved, 'verdict' | 'changed' | 'gates' | 'results'> & Pick<Prove, 'without'>;

/** One line for a person; empty if it is proven. */
export function reasonFor({ verdict, changed, gates, results, without }: Seen): string {
  switch (verdict) {
    case 'proven':
      return '';
    case 'red':
      return `Red in a clean copy of the work: ${redOf(results)}`;
    case 'held':
      if (changed.length === 0 && without !== undefined) return `Held: red in a copy of what is committed, ${withoutWords(without)}: ${redOf(results)}`;
      if (changed.length === 0) return `Held: green where the agent worked, red in a clean copy at another path: ${redOf(results)}`;
      return heldReason(changed);
    case 'dead':
      return gates.flatMap(({ state, command, why }) => (state === 'dead' ? [`Dead check: \`${command}\` ${why}`] : [])).join('; ');
    case 'sealed':
      return 'The sealed checks are not satisfied';
  }
}

const NAMED = 3;

function withoutWords(paths: readonly string[]): string {
  const more = paths.length > NAMED ? ' and others' : '';
  return `without files that were dirty before the start: ${oneLine(paths.slice(0, NAMED).join(', '))}${more}`;
}

const redOf = (results: readonly GateResult[]) => results.flatMap(({ green, gate }) => (green ? [] : [gate.command])).join(', ');
