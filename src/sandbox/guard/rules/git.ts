import { block, type Objection, type Rule, warn } from '../rule.ts';
import { asText, hasHole } from '../shell/holes.ts';
import { type LongNames, readOptions } from '../shell/options.ts';
import { wordsOfLine } from '../shell/wrappers.ts';

/** Options of git itself that take the next word as their value. */
const WITH_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env', '--super-prefix', '--attr-source']);

export interface GitCall {
  readonly verb: string;
  readonly args: readonly string[];
  /** The `name=value` of every `-c`. */
  readonly configured: readonly string[];
}

/** Splits git's own options from the subcommand. */
function gitCall(args: readonly string[]): GitCall {
  const configured: string[] = [];
  let at = 0;
  while (args[at]?.startsWith('-')) {
    const word = args[at] ?? '';
    if (word === '-c' || word === '--config-env') configured.push(args[at + 1] ?? '');
    at += WITH_VALUE.has(word) ? 2 : 1;
  }
  return { verb: args[at] ?? '', args: args.slice(at + 1), configured };
}

const MAIN = /^(refs\/heads\/)?(main|master|trunk|develop|production|release)$/;
const KEEP = 'what was committed stays as it is; make a new commit instead';

const FORGES = /^(https:\/\/|ssh:\/\/)?([\w-]+@)?(github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|ssh\.dev\.azure\.com)[/:]/;
/** Whether the word is a URL outside the well-known forges. */
const isForeign = (word: string) => (/^\w+:\/\//.test(word) || /^[\w.-]+@[\w.-]+:/.test(word)) && !FORGES.test(word);

function lookAtRemote([verb = '', ...rest]: readonly string[]): Objection | null {
  if (!/^(add|set-url)$/.test(verb)) return null;
  if (rest.some(isForeign)) return block('This adds a remote that is not the project’s own; leave that to the operator.');
  return verb === 'set-url' ? warn('This changes where the project is pushed to.') : null;
}

const lookAtRebase = (args: readonly string[]) => (args.includes('--root') ? block(`This rewrites the whole history; ${KEEP}.`) : null);
const lookAtTree = (args: readonly string[]) =>
  readOptions(args).names.has('--reset') ? block('This throws changes away for good; restore single files by name.') : null;
const lookAtWorktree = (args: readonly string[]) => {
  const { letters, names } = readOptions(args);
  return args[0] === 'remove' && (letters.has('f') || names.has('--force')) ? warn('This deletes the uncommitted changes of that worktree.') : null;
};

const lookAtTarget = (args: readonly string[]) =>
  args.some(isForeign) ? block('This pushes to a remote that is not the project’s own; push to its own.') : null;

function lookAtPush(args: readonly string[]): Objection | null {
  const { letters, names, operands } = readOptions(args, ['o', '--push-option', '--repo', '--receive-pack']);
  const refs = operands.slice(1).map((ref) => ref.replace(/^\+/, '').split(':').at(-1) ?? '');
  if (names.has('--mirror') || names.has('--prune')) return block(`This makes the other repository a copy of this one; ${KEEP}.`);
  if (letters.has('f') || names.has('--force') || operands.slice(1).some((ref) => ref.startsWith('+')))
    return block(`This overwrites what others may have; ${KEEP}.`);
  if (letters.has('d') || names.has('--delete') || operands.slice(1).some((ref) => ref.startsWith(':'))) {
    return refs.some((ref) => MAIN.test(ref))
      ? block('This deletes the main branch for everybody; leave it alone.')
      : warn('This deletes a branch for everybody.');
  }
  if (!names.has('--force-with-lease') && !names.has('--force-if-includes')) return null;
  return refs.length === 0 || refs.some((ref) => MAIN.test(ref) || hasHole(ref))
    ? block(`This overwrites the main branch; ${KEEP}.`)
    : warn('This overwrites a branch that others may have.');
}

const ALL = /^(\.|\.\/|:\/|\*|:\(top\)|:\/\*)$/;

function lookAtCheckout(args: readonly string[]): Objection | null {
  const { letters, names, operands } = readOptions(args, ['b', 'B', '--orphan', 's', '--source', '--conflict']);
  if (operands.some((word) => ALL.test(asText(word)))) return block('This throws all changes away; restore single files by name.');
  if (letters.has('f') || names.has('--force') || names.has('--discard-changes')) return block('This throws all changes away; commit or stash them first.');
  return null;
}

function lookAtRestore(args: readonly string[]): Objection | null {
  const { letters, names, operands } = readOptions(args, ['s', '--source']);
  const isOnlyIndex = (letters.has('S') || names.has('--staged')) && !letters.has('W') && !names.has('--worktree');
  return !isOnlyIndex && operands.some((word) => ALL.test(asText(word))) ? block('This throws all changes away; restore single files by name.') : null;
}

function lookAtClean(args: readonly string[]): Objection | null {
  const { letters, names, operands } = readOptions(args, ['e', '--exclude']);
  if (letters.has('n') || names.has('--dry-run') || letters.has('i')) return null;
  if (!letters.has('f') && !names.has('--force')) return null;
  if (operands.length > 0 && !operands.some((word) => ALL.test(asText(word)) || /^(\/|~|\.\.)/.test(word))) return warn('git cannot restore untracked files.');
  return block('git cannot restore untracked files; look with git clean -n, and remove single files by name.');
}

function lookAtBranch(args: readonly string[]): Objection | null {
  const { letters, names, operands } = readOptions(args);
  const deletes = letters.has('D') || letters.has('d') || names.has('--delete');
  if ((deletes || letters.has('M') || letters.has('m') || letters.has('f') || names.has('--force')) && operands.some((name) => MAIN.test(name)))
    return block('This deletes or moves the main branch; leave it alone.');
  return letters.has('D') && operands.some((name) => hasHole(name)) ? warn('Ralph cannot tell which branches this deletes.') : null;
}

const TRUSTED_KEYS =
  /^(credential|core\.(hookspath|sshcommand|fsmonitor|askpass|gitproxy|attributesfile|worktree)|include(if)?\.|url\.|http\..*(proxy|sslverify|extraheader|cookiefile)|http\.(proxy|sslverify|extraheader)|ssh\.|gpg\.|filter\.|diff\..*\.(command|textconv)|merge\..*\.driver|remote\..*\.(pushurl|url|receivepack|uploadpack|proxy)|protocol\.|uploadpack\.|receive\.|sequence\.editor|core\.(editor|pager)|init\.templatedir|safe\.directory)/i;

function lookAtConfig(args: readonly string[]): Objection | null {
  const { names, letters, operands } = readOptions(args, ['f', '--file', '--blob', '--type']);
  const [first = ''] = operands;
  const [key = '', value] = /^(set|unset|add|get|list)$/.test(first) ? operands.slice(1) : operands;
  if (/^(get|list)$/.test(first) || letters.has('l') || [...names].some((name) => /^--(get|list)/.test(name))) return lookAtReading(key);
  const isWriting = value !== undefined || [...names].some((name) => /^--(unset|add|replace)/.test(name));
  if (isWriting) return lookAtSetting(key, value ?? '', names);
  return names.has('--edit') || letters.has('e') ? warn('This edits the configuration of git.') : null;
}

const lookAtReading = (key: string) => (/^credential/i.test(key) ? block('This shows the passwords or tokens of git; leave that to the operator.') : null);

function lookAtSetting(key: string, value: string, names: LongNames): Objection | null {
  if (/^alias\./i.test(key) && !value.startsWith('!')) return lookAtCall(wordsOfLine(value), 1);
  const isTrusted = TRUSTED_KEYS.test(key) || /^alias\./i.test(key);
  if (isTrusted) return block('This changes what git runs or whom it trusts; leave that to the operator.');
  return names.has('--global') || names.has('--system') ? warn("This changes the user's own git configuration; set it for this project only.") : null;
}

type Look = (args: readonly string[]) => Objection | null;

const NO_WAY_BACK = block(`This deletes what git could restore commits from; ${KEEP}.`);
const lookAtReset: Look = (args) =>
  readOptions(args).names.has('--hard') || readOptions(args).names.has('--merge')
    ? block('This throws changes away for good; use git stash, or restore single files by name.')
    : null;
const lookAtPruning: Look = (args) => (args.some((word) => /^--prune(=now|=all)?$/.test(word)) ? NO_WAY_BACK : null);
const lookAtReflog: Look = (args) => (/^(expire|delete)$/.test(args[0] ?? '') ? NO_WAY_BACK : null);
const lookAtRewriting: Look = () => block(`This rewrites the whole history; ${KEEP}.`);

function lookAtStash([verb]: readonly string[]): Objection | null {
  if (verb === 'clear') return block('This deletes all stashes; drop single ones.');
  return verb === 'drop' ? warn('This deletes a stash for good.') : null;
}

function lookAtRefs(args: readonly string[]): Objection | null {
  return args.some((word) => /^(-d|--stdin)$/.test(word) || MAIN.test(word)) ? block(`This moves branches by hand; ${KEEP}.`) : null;
}

function lookAtRemoving(args: readonly string[]): Objection | null {
  const { letters, operands } = readOptions(args);
  return letters.has('r') && operands.some((word) => ALL.test(asText(word))) ? block('This removes all files of the project; name what is to go.') : null;
}

const VERBS: Readonly<Record<string, Look>> = {
  push: (args) => lookAtTarget(args) ?? lookAtPush(args),
  checkout: lookAtCheckout,
  switch: lookAtCheckout,
  restore: lookAtRestore,
  clean: lookAtClean,
  branch: lookAtBranch,
  config: lookAtConfig,
  reset: lookAtReset,
  remote: lookAtRemote,
  rebase: lookAtRebase,
  'read-tree': lookAtTree,
  worktree: lookAtWorktree,
  replace: () => block(`This rewrites the history; ${KEEP}.`),
  stash: lookAtStash,
  reflog: lookAtReflog,
  gc: lookAtPruning,
  prune: () => NO_WAY_BACK,
  'update-ref': lookAtRefs,
  rm: lookAtRemoving,
  'filter-branch': lookAtRewriting,
  'filter-repo': lookAtRewriting,
};

/** Limits the recursion: an alias inside an alias is not followed. */
const DEEPEST_ALIAS = 1;

function lookAtCall(args: readonly string[], depth: number): Objection | null {
  const call = gitCall(args);
  const trusted = call.configured.find((word) => TRUSTED_KEYS.test(word) || /^alias\.[^=]*=!/i.test(word));
  if (trusted !== undefined && !/^core\.(pager|editor)=(cat|true|:|less)?$|^safe\.directory=/i.test(trusted))
    return block('This changes what git runs or whom it trusts; leave that to the operator.');
  const look = Object.hasOwn(VERBS, call.verb) && !(depth > 0 && call.verb === 'config') ? VERBS[call.verb] : undefined;
  return look?.(call.args) ?? (depth < DEEPEST_ALIAS ? lookAtAliases(call.configured) : null);
}

/** `-c alias.name=words`: judges the command the alias stands for. */
function lookAtAliases(configured: readonly string[]): Objection | null {
  const aliases = configured.filter((word) => /^alias\./i.test(word)).map((word) => wordsOfLine(word.slice(word.indexOf('=') + 1)));
  return aliases.map((words) => lookAtCall(words, DEEPEST_ALIAS)).find((each) => each !== null) ?? null;
}

export const GIT: readonly Rule[] = [
  { id: 'destroys-work-with-git', category: 10, names: ['git', 'hub'], look: ({ args }) => lookAtCall(args, 0) },
  {
    id: 'rewrites-history',
    category: 10,
    names: ['git-filter-repo', 'bfg', 'git-filter-branch'],
    look: () => block(`This rewrites the whole history; ${KEEP}.`),
  },
];
