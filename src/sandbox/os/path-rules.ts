import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { OwnGit, SandboxCall, SandboxRefusal } from '../../engine/ports/sandbox.ts';
import type { UseLimits } from '../../process/process-request.ts';
import type { AgentLogin } from '../agent-login.ts';
import { cacheRules, coveredHome, shownTools } from './home-rules.ts';
import { loginRules } from './login-rules.ts';
import { isBelow, isSeen, isWritable, linkRules, type MountRule, ruleAt } from './mount-plan.ts';
import { existingPaths, foreignSocketRules, privateRules, systemSecretRules } from './system-rules.ts';
import { trustedPath, trustedWay } from './trusted-path.ts';
import { findWorkTree, gitRules, OBEYED, type WorkTree } from './work-tree.ts';

export interface OsSandboxOptions {
  /** The user's home, by its real path. */
  readonly home: string | null;
  /** The git common dir of the run's repository, by its real path. It is trusted. Null without git. */
  readonly commonDir: string | null;
  /** Paths that no process inside may write, if they exist. */
  readonly sealed: readonly string[];
  /** The same, relative to the top of whichever work tree a process works in. */
  readonly sealedBelow: readonly string[];
  /** Paths outside the work tree that may be written. */
  readonly writable: readonly string[];
  /** Paths in the home and in other covered folders that are shown in addition to tools and the login. */
  readonly readable: readonly string[];
  /** Paths that are hidden inside, even if another rule shows them. */
  readonly hidden: readonly string[];
  /** Ralph's own sockets that processes inside may use. */
  readonly sockets: readonly string[];
  /** For a work tree that is the home itself: the names with a dot that belong to the project, relative to the home. */
  readonly tracked: readonly string[];
  /** The login that is available. */
  readonly login: AgentLogin;
  /** The logins of all agents. Any of them may have been at work in this home. */
  readonly logins: readonly AgentLogin[];
  /** The allow-list, including the model's hosts. */
  readonly hosts: readonly string[];
  /** The proxy's socket: a short path outside every workspace. */
  readonly socketPath: string;
  /** A private folder per project that replaces the caches of the home. */
  readonly cacheFolder: string;
  /** The host's own proxy variables. */
  readonly upstream: Readonly<Record<string, string>>;
  /** What one process may use together with all it starts; 0: any amount. */
  readonly limits: Pick<UseLimits, 'memoryBytes' | 'processes'>;
  /** Called once for each target. */
  readonly onRefused: (refusal: SandboxRefusal) => void;
}

/** Folders of agents that have no definition. */
const OTHER_LOGIN_FOLDERS = ['.copilot', '.cursor'];

/** Used when the home is unknown. */
const NO_HOME = '/dev/null';

export interface PathRules {
  readonly rules: readonly MountRule[];
  /** Paths that no mount can seal. Ralph checks them afterwards. */
  readonly watched: readonly string[];
}

/** Options that are the same for every process in one sandbox. */
export interface RulesOptions extends OsSandboxOptions {
  /** The folder of the copied logins, which exists as long as the sandbox. */
  readonly copies: string;
  /** `dotsOf` the home when the sandbox was opened. */
  readonly dots: readonly string[];
}

/** What a process may see and write. Of two rules for the same path, the later one wins. */
export async function pathRules(call: SandboxCall, given: RulesOptions): Promise<PathRules> {
  const { commonDir, copies } = given;
  // A home that does not exist, as for service users, cannot be covered.
  const home = given.home !== null && existsSync(given.home) ? given.home : null;
  const options = { ...given, home };
  const tree = await findWorkTree(call.cwd, commonDir);
  const isAgent = call.who === 'agent';
  // In a work tree that nobody may write, no folder can be made to mount something over it.
  const isFixed = home !== null && call.judges === true && isBelow(home, tree.root);
  const login = home === null || !isAgent ? { rules: [], watched: [] } : await loginRules({ home, login: options.login, env: call.env, copies });
  const empty = privateRules(call.env, [tree.root, home ?? tree.root]);
  const base: readonly MountRule[] = [
    ...empty,
    // A linked work tree may have links to the main checkout.
    ...existingPaths([mainCheckout(commonDir) ?? []].flat())
      .filter(({ path }) => path !== home)
      .map(({ path }) => readOnly(path)),
    ...(home === null ? [] : coveredHome({ ...options, home, treeRoot: tree.root })),
    ...(home === null ? [] : cacheRules(home, cachesOf(call, options)).filter(({ path }) => !isFixed || existsSync(path))),
    ...systemSecretRules(),
    ...login.rules,
    ...treeRules(call, tree),
    ...(await rulesOfGit(call, commonDir, tree)),
  ];
  const never = [...empty.map(({ path }) => path), home ?? []].flat();
  const rules = withWishes(base, { call, options, tree, never });
  return { rules, watched: [...login.watched, ...unsealed(tree, call.ownGit ? null : commonDir), ...options.sealed] };
}

/** Gates have caches that no agent writes, and a proof has its own: some tools keep verdicts there. Null: empty ones, which end with the process. */
function cachesOf({ who, judges, sealed, caches }: SandboxCall, { cacheFolder }: RulesOptions): string | null {
  if (judges || sealed) return null;
  return caches ?? (who === 'agent' ? cacheFolder : join(cacheFolder, 'gates'));
}

function treeRules({ judges, ownFolder, sealed }: SandboxCall, { root }: WorkTree): readonly MountRule[] {
  const own: readonly MountRule[] = sealed === undefined ? [] : [{ path: sealed.at, as: 'replaced', by: sealed.from }];
  if (ownFolder === undefined) return [{ path: root, as: judges ? 'read-only' : 'writable' }, ...own];
  return [
    { path: root, as: judges ? 'shown' : 'replaced', by: ownFolder.folder },
    ...ownFolder.shared.map((path): MountRule => ({ path: join(root, path), as: judges || sealed ? 'read-only' : 'writable' })),
    // If it is a repository, the operator's git obeys its settings.
    ...existingPaths(ownFolder.shared.map((path) => join(root, path, '.git'))).map(({ path }) => readOnly(path)),
    ...own,
    ...(ownFolder.covered ?? []).map(({ path, isFolder }) => coverRule(join(root, path), isFolder)),
  ];
}

function coverRule(path: string, isFolder: boolean): MountRule {
  return isFolder ? { path, as: 'private' } : { path, as: 'shown', by: '/dev/null' };
}

async function rulesOfGit({ ownGit }: SandboxCall, commonDir: string | null, tree: WorkTree): Promise<readonly MountRule[]> {
  if (commonDir === null || tree.kind === 'none') return [];
  return ownGit ? ownGitRules(commonDir, tree, ownGit) : await gitRules(commonDir, tree);
}

/** Shows the process its own git where the operator's repository is. Of the operator's, it sees the objects, the hooks and Ralph's files. */
function ownGitRules(commonDir: string, { gitFile }: WorkTree, { folder, borrowed, lenders }: OwnGit): readonly MountRule[] {
  const hooks = join(commonDir, 'hooks');
  const [shownHooks] = existingPaths([hooks]);
  return [
    { path: commonDir, as: 'replaced', by: folder },
    ...borrowed.map(({ path, from }): MountRule => ({ path, as: 'shown', by: from })),
    ...(shownHooks?.isFolder ? [{ path: hooks, as: 'shown', by: shownHooks.path } as const] : []),
    readOnly(join(commonDir, 'ralph')),
    ...existingPaths(lenders).map(({ path }) => readOnly(path)),
    ...(gitFile === null ? [] : [readOnly(gitFile)]),
  ];
}

/**
 * Paths that no mount can seal while they do not exist. One is `commondir`: a repository that has it takes its configuration from the repository it names.
 */
function unsealed({ root, kind }: WorkTree, commonDir: string | null): readonly string[] {
  const files = ['ralph.yaml', 'ralph.yml'].map((name) => join(root, name));
  return commonDir === null || kind === 'none' ? files : [...files, join(commonDir, 'commondir')];
}

/**
 * Whether agents of this project may have written there, in this run or an earlier one. A home inside the project does not count: it was covered for them too.
 */
function isOfProject(path: string, { commonDir, home }: Pick<OsSandboxOptions, 'commonDir' | 'home'>): boolean {
  const main = mainCheckout(commonDir);
  if (main === null || !(isBelow(path, main) || isBelow(path, `${main}.ralph`))) return false;
  if (home === null || !isBelow(home, main) || !isBelow(path, home)) return true;
  return home === main && !relative(home, path).startsWith('.');
}

/** The main checkout of a linked work tree. */
function mainCheckout(commonDir: string | null): string | null {
  return commonDir !== null && basename(commonDir) === '.git' ? dirname(commonDir) : null;
}

interface Wishes {
  readonly call: SandboxCall;
  readonly options: RulesOptions;
  readonly tree: WorkTree;
  readonly never: readonly string[];
}

/** Adds the tools that are needed, the paths the operator opens, Ralph's own paths that stay closed, and the sockets of other programs. */
function withWishes(base: readonly MountRule[], { call, options, tree, never }: Wishes): readonly MountRule[] {
  const home = options.home ?? NO_HOME;
  const loginFolders = [...options.logins.flatMap(({ folders }) => folders), ...OTHER_LOGIN_FOLDERS];
  const ofAgents = [...options.writable, ...loginFolders.map((name) => join(home, name))];
  const isOfTree = (rule: MountRule | null) => rule?.as === 'writable' || rule?.path === tree.root;
  const canBePlanted = (link: string) => isOfTree(ruleAt(link, base)) || ofAgents.some((path) => path !== link && isBelow(link, path));
  const real = (paths: readonly string[]) => paths.map((path) => trustedPath(path, canBePlanted)).filter((path) => path !== null);
  const isCovered = (path: string) => !isSeen(path, base);
  const waysTo = (paths: readonly string[]) => paths.map((path) => trustedWay(path, canBePlanted)).filter((way) => way !== null);
  const opened: readonly MountRule[] = [
    ...base,
    ...linkRules(trustedWay(call.env['HOME'] || home, () => false)?.links),
    ...shownTools(
      { ...call, home, isCovered, agentPrograms: options.logins.flatMap(({ programs }) => programs) },
      { base, never, canBePlanted: (path) => canBePlanted(path) || isOfProject(path, options) },
    ),
    ...waysTo(options.readable).flatMap((way) => [...linkRules(way.links), ...(isCovered(way.real) ? [readOnly(way.real)] : [])]),
    ...waysTo(options.writable)
      .filter(({ real: path }) => !call.judges || !isBelow(path, tree.root))
      .flatMap((way) => [...linkRules(way.links), { path: way.real, as: call.sealed ? 'read-only' : 'writable' } as const]),
  ];
  const sealed = real([...[...OBEYED, ...options.sealedBelow].map((name) => join(tree.root, name)), ...options.sealed]).filter((path) =>
    isWritable(path, opened),
  );
  const rules = withHidden([...opened, ...sealed.map(readOnly), ...real(options.sockets).map(readOnly)], options.hidden);
  return [...rules.filter((rule) => hasPlace(rule, rules)), ...foreignSocketRules(rules)];
}

/** Drops all rules at or below a hidden path, and empties the paths that are still visible. */
function withHidden(rules: readonly MountRule[], hidden: readonly string[]): readonly MountRule[] {
  const found = existingPaths(hidden);
  const left = rules.filter((rule) => !found.some(({ path }) => isBelow(rule.path, path)));
  return [...left, ...found.filter(({ path }) => isSeen(path, left)).map(({ path, isFolder }): MountRule => ({ path, as: 'hidden', isFolder }))];
}

/** A cache cannot be mounted in a home that the operator shows as it is, unless the home has a folder for it. */
function hasPlace({ path, as }: MountRule, rules: readonly MountRule[]): boolean {
  return as !== 'replaced' || ruleAt(dirname(path), rules)?.as !== 'read-only' || existsSync(path);
}

const readOnly = (path: string): MountRule => ({ path, as: 'read-only' });
