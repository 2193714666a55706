import { changedNames, isSameTest, type TestWorld, wordsOf } from './changes/same-test.ts';
import { newSuppressions } from './changes/suppressions.ts';
import type { GateSight } from './look-at-gate.ts';
import { rustParts } from './mixed/rust-tests.ts';
import { splitMixed } from './mixed/split-mixed.ts';
import { folderOf, foldersAbove, type Index, indexOf, isWithin, nameOf, type Repository, readText } from './repository.ts';
import type { Tool } from './tools/tool.ts';

/** From the base tree to the claimed tree. */
export interface Change {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
}

export interface DeciderChange {
  readonly path: string;
  /** A short reason for a person. */
  readonly why: string;
}

export type Edit =
  | { readonly path: string; readonly to: 'base' }
  | { readonly path: string; readonly to: 'nothing' }
  | { readonly path: string; readonly to: 'text'; readonly text: string };

export interface BasePass {
  /** Empty if no base pass is needed. */
  readonly changed: readonly DeciderChange[];
  /** The edits that turn the claimed tree into "new source with the base's deciders". */
  readonly edits: readonly Edit[];
}

export interface BasePassRequest {
  /** From the base tree. */
  readonly sights: readonly GateSight[];
  readonly changes: readonly Change[];
  readonly base: Repository;
  readonly claimed: Repository;
  /** What the operator allows to change: such a path does not count as a change and gets no edit. */
  readonly mayChange: (path: string) => boolean;
}

interface Work {
  readonly wish: BasePassRequest;
  readonly world: TestWorld;
  readonly tools: readonly Tool[];
  readonly changed: DeciderChange[];
  readonly edits: Map<string, Edit>;
  /** Added tests that are not a moved old test. */
  readonly free: Set<string>;
}

/** Which deciders of the gates changed, and the edits that revert them. Nothing is written: the edits are for a temporary copy. */
export async function basePass(request: BasePassRequest): Promise<BasePass> {
  const changes = request.changes.filter(({ path }) => !request.mayChange(path));
  const work: Work = {
    wish: request,
    world: worldOf(request, changes),
    tools: [...new Set(request.sights.flatMap(({ tools }) => tools))],
    changed: [],
    edits: new Map(),
    free: new Set(changes.filter(({ path, kind }) => kind === 'added' && decidesAny(request, path) === 'test').map(({ path }) => path)),
  };
  const sources: Change[] = [];
  for (const change of changes) {
    const what = decidesAny(request, change.path);
    if (what === 'configuration') await lookAtConfiguration(change, work);
    else if (what === 'test' && change.kind !== 'added') await lookAtTest(change, work);
    else sources.push(change);
  }
  for (const change of sources) await lookAtRust(change, work);
  await lookForSuppressions(sources, work);
  if (work.changed.length === 0) return { changed: [], edits: [] };
  // They already ran in the pass with everything new, and may need what this pass takes away.
  for (const path of work.free) if (request.sights.some((sight) => sight.isRun(path))) work.edits.set(path, { path, to: 'nothing' });
  return { changed: work.changed, edits: [...inTheWay(work), ...work.edits.values()] };
}

/** Removes a file, or a link, in the place of a folder of the base, and files below what was a file: they would block the reverted paths. */
function inTheWay({ edits, world }: Work): readonly Edit[] {
  const back = [...edits.values()].filter(({ to }) => to !== 'nothing').map(({ path }) => path);
  const above = back.flatMap(foldersAbove).filter((folder) => world.claimed.files.has(folder));
  const below = back.filter((path) => world.claimed.folders.has(path)).flatMap((path) => [...world.claimed.files].filter((each) => isWithin(each, path)));
  return [...new Set([...above, ...below])].map((path) => ({ path, to: 'nothing' }));
}

/** Configuration takes precedence, even if another gate treats the same file as a test. */
function decidesAny({ sights }: BasePassRequest, path: string): 'configuration' | 'test' | null {
  let found: 'test' | null = null;
  for (const sight of sights) {
    const what = sight.decides(path);
    if (what === 'configuration') return what;
    found ??= what;
  }
  return found;
}

function note({ changed, edits }: Work, edit: Edit, why: string): void {
  changed.push({ path: edit.path, why });
  edits.set(edit.path, edit);
}

async function lookAtConfiguration({ path, kind }: Change, work: Work): Promise<void> {
  if (kind === 'removed') return note(work, { path, to: 'base' }, 'configuration was removed');
  const claimed = await readText(work.wish.claimed, path);
  if (kind === 'added' && claimed !== null && isFree(path, claimed, work)) return;
  const base = kind === 'added' ? null : await readText(work.wish.base, path);
  const split = claimed === null || (kind === 'changed' && base === null) ? 'whole' : splitMixed(path, { base, claimed }, work.tools);
  if (split === null) return;
  if (split !== 'whole') {
    note(work, { path, to: 'text', text: split.text }, split.why.join(', '));
  } else if (kind === 'added') note(work, { path, to: 'nothing' }, 'new configuration');
  else note(work, { path, to: 'base' }, 'configuration changed');
}

/** Configuration that can only apply to the files of a new folder, and an empty `__init__.py`. */
function isFree(path: string, text: string, { world }: Work): boolean {
  if (/(?:^|\/)tests?\/.*__init__\.py$/.test(path)) return text.trim() === '';
  const isData = /^(?:package\.json|tsconfig.*\.json|Cargo\.toml|pyproject\.toml|go\.mod)$/.test(nameOf(path));
  return isData && !world.base.folders.has(folderOf(path));
}

async function lookAtTest({ path, kind }: Change, work: Work): Promise<void> {
  const base = await readText(work.wish.base, path);
  const isMeasure = work.wish.sights.some((sight) => sight.isMeasure(path));
  if (kind === 'removed') {
    // Data can be used where it was, whatever moved, so the old place is asked again.
    const moved = base === null || isMeasure ? null : await movedTo(path, base, work);
    if (moved === null) note(work, { path, to: 'base' }, isRun(path, work) ? 'an existing test was removed' : 'a file of existing tests was removed');
    else work.free.delete(moved);
    return;
  }
  const claimed = await readText(work.wish.claimed, path);
  if (!isMeasure && base !== null && claimed !== null && (await isSameTest({ path, text: base }, { path, text: claimed }, work.world))) return;
  note(work, { path, to: 'base' }, whyTest(path, work));
}

const isRun = (path: string, { wish }: Work) => wish.sights.some((sight) => sight.isRun(path));

function whyTest(path: string, work: Work): string {
  if (/\.(?:snap|golden|ambr)$|\/__snapshots__\//.test(path)) return 'a snapshot changed';
  if (work.wish.sights.some((sight) => sight.isMeasure(path))) return 'a file that the gate compares with changed';
  return isRun(path, work) ? 'an existing test changed' : 'a file of existing tests changed';
}

/** The added file that a removed test was moved to: the same test, run by the gate if the old one was. Files of the same name are tried first. */
async function movedTo(path: string, text: string, work: Work): Promise<string | null> {
  const places = [...work.free].filter((each) => !isRun(path, work) || isRun(each, work)).sort((one, other) => nearness(other, path) - nearness(one, path));
  for (const place of places.slice(0, 50)) {
    const claimed = await readText(work.wish.claimed, place);
    if (claimed !== null && (await isSameTest({ path, text }, { path: place, text: claimed }, work.world))) return place;
  }
  return null;
}

const nearness = (path: string, other: string) => (nameOf(path) === nameOf(other) ? 1 : 0);

/** Uses the base's tests in a Rust source with the rest of the agent's version. */
async function lookAtRust({ path, kind }: Change, work: Work): Promise<void> {
  if (kind !== 'changed' || !path.endsWith('.rs') || !work.tools.some(({ name }) => name === 'cargo-test')) return;
  const base = rustParts((await readText(work.wish.base, path)) ?? '');
  const claimed = rustParts((await readText(work.wish.claimed, path)) ?? '');
  if (base.tests === '' || (await isSameTest({ path, text: base.tests }, { path, text: claimed.tests }, work.world))) return;
  note(work, { path, to: 'text', text: `${claimed.rest.trimEnd()}\n\n${base.tests}\n` }, 'existing tests in a source changed');
}

async function lookForSuppressions(sources: readonly Change[], work: Work): Promise<void> {
  const { base, claimed } = work.wish;
  const edited: Repository = {
    paths: claimed.paths,
    read: async (path) => {
      const edit = work.edits.get(path);
      return edit?.to === 'text' ? edit.text : claimed.read(path);
    },
  };
  for (const { path, word, text } of await newSuppressions(sources, { base, claimed: edited, tools: work.tools })) {
    const isAdded = sources.some((change) => change.path === path && change.kind === 'added');
    if (isAdded && path.endsWith('.go') && (await isOfAnotherPackage(path, work))) continue;
    const whole: Edit = { path, to: isAdded ? 'nothing' : 'base' };
    note(work, text === null ? whole : { path, to: 'text', text }, `a new ${word}`);
  }
}

const packageClause = /^package[ \t]+(\w+)/m;

/** A new program beside a package, such as a generator: it was never part of what the gate builds there, so its build tags hide nothing. */
async function isOfAnotherPackage(path: string, { wish: { base, claimed } }: Work): Promise<boolean> {
  const nameIn = async (repository: Repository, each: string) => packageClause.exec((await readText(repository, each)) ?? '')?.[1];
  const beside = base.paths.find((each) => each.endsWith('.go') && !each.endsWith('_test.go') && folderOf(each) === folderOf(path));
  return beside !== undefined && (await nameIn(base, beside)) !== (await nameIn(claimed, path));
}

function worldOf(request: BasePassRequest, changes: readonly Change[]): TestWorld {
  // Computed only when needed: most claims change no test and no configuration.
  let base: Index | null = null;
  let claimed: Index | null = null;
  const isSource = (path: string) => decidesAny(request, path) === null;
  let names: ReturnType<TestWorld['names']> | null = null;
  return {
    get base() {
      base ??= indexOf(request.base.paths);
      return base;
    },
    get claimed() {
      claimed ??= indexOf(request.claimed.paths);
      return claimed;
    },
    isSource,
    names: () => {
      names ??= changedNames(
        changes.filter(({ path }) => isSource(path)),
        request.base,
        request.claimed,
      );
      return names;
    },
    isCopy: async (from, to) => {
      const text = await readText(request.base, from);
      return text !== null && text === (await readText(request.claimed, to));
    },
    hasLost: async (path, name) => {
      const text = await readText(request.claimed, path);
      return text !== null && !wordsOf(text).has(name) && wordsOf((await readText(request.base, path)) ?? '').has(name);
    },
  };
}
