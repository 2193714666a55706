import { block, type GuardPlace, type Objection, type Rule, warn } from '../rule.ts';
import { sensitiveToRead } from '../sensitive-paths.ts';
import { SECRET } from '../shell/holes.ts';
import { readOptions } from '../shell/options.ts';
import { isSecretName } from '../shell/parameters.ts';
import type { Step } from '../step.ts';

const ASK = 'secrets stay where they are; ask the operator for what you need';

const READERS = [
  'cat',
  'less',
  'more',
  'head',
  'tail',
  'tac',
  'nl',
  'bat',
  'batcat',
  'strings',
  'xxd',
  'od',
  'hexdump',
  'base64',
  'base32',
  'cp',
  'mv',
  'ln',
  'tar',
  'zip',
  '7z',
  'gzip',
  'bzip2',
  'xz',
  'sort',
  'uniq',
  'cut',
  'paste',
  'tee',
  'rev',
  'fold',
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'ag',
  'awk',
  'gawk',
  'sed',
  'jq',
  'yq',
  'diff',
  'cmp',
  'comm',
  'source',
  '.',
  'scp',
  'rsync',
  'curl',
  'vi',
  'vim',
  'nano',
  'emacs',
  'view',
  'ed',
  'dd',
  'install',
  'pbcopy',
  'xclip',
  'wc',
  'split',
  'iconv',
  'column',
  'pr',
  'expand',
  'look',
  'mapfile',
  'gpg',
  'ssh-keygen',
  'sqlite3',
];

/** The words of a command that may name files it reads: all words of a reader, and those of an interpreter that are not code. */
function namedBy({ name, args, code }: Pick<Step, 'name' | 'args' | 'code'>): readonly string[] {
  if (READERS.includes(name))
    return args.map((word) => word.replace(/^(-{1,2}[\w-]+=|if=|@)/, '').replace(/^[\w-]+=@/, '')).filter((word) => word !== '' && !word.startsWith('-'));
  return code !== null && code.by === 'argument' ? args.filter((word) => /^[~./][\w.~/@*-]+$/.test(word)) : [];
}

function lookAtReading({ name, args, code, redirects, cwd, isElsewhere }: Step, { home }: GuardPlace): Objection | null {
  const named = namedBy({ name, args, code });
  const paths = [...named, ...redirects.flatMap(({ isWrite, target }) => (isWrite ? [] : [target]))];
  if (paths.length === 0 || isElsewhere) return null;
  if (name === 'ssh-keygen' && !args.includes('-y')) return null;
  const found = paths.map((path) => sensitiveToRead(path, { cwd, home })).filter((each) => each !== null);
  const [worst] = [...found].sort((a, b) => Number(b.level === 'block') - Number(a.level === 'block'));
  if (worst === undefined) return null;
  return worst.level === 'block' ? block(`This reads ${worst.what}; ${ASK}.`) : warn(`This reads ${worst.what}; do not repeat them anywhere.`);
}

/** Whether the command that reads the output narrows it, for example to one variable, without asking for secrets. */
function isNarrow([filter = '', ...words]: readonly string[]): boolean {
  if (!/^(grep|egrep|rg|awk|sed|wc|head|cut)$/.test(filter)) return false;
  if (filter === 'wc') return true;
  return (
    filter !== 'cut' &&
    filter !== 'head' &&
    !words.some((word) => /key|token|secret|pass|cred|auth|^\.\*?$|^=$|^['"]{2}$/i.test(word)) &&
    !words.some((word) => /^-[a-z]*v/.test(word))
  );
}

function lookAtDump({ name, args, into, assigned }: Step): Objection | null {
  const isBare =
    name === 'env' ? args.every((word) => /^(-0|--null|-[iu])$/.test(word)) && assigned.length === 0 : args.every((word) => /^(-0|--null)$/.test(word));
  if (name === 'printenv' && args.some(isSecretName)) return block(`This prints a secret; ${ASK}.`);
  if (!isBare) return null;
  return isNarrow(into) ? null : block(`This prints every variable, secrets among them; ask for one by its name, as in: printenv PATH.`);
}

function lookAtDeclared({ name, args, into }: Step): Objection | null {
  const isDump =
    name === 'set' ? args.length === 0 : args.every((word) => /^-[pxa]+$/.test(word)) && (args.length > 0 || name !== 'declare' || into.length > 0);
  return isDump && !isNarrow(into) ? block('This prints every variable, secrets among them; ask for one by its name, as in: printenv PATH.') : null;
}

function lookAtEcho({ args, into, redirects }: Step): Objection | null {
  if (!args.some((word) => word.includes(SECRET))) return null;
  if (into.length > 0 && into.some((word) => /login|stdin|wc|cut|head|-c/.test(word)))
    return warn('This passes a secret on; be sure that it goes nowhere else.');
  return redirects.length > 0 ? warn('This writes a secret into a file; never commit that.') : block(`This prints a secret; ${ASK}.`);
}

/** Commands that print stored credentials. */
const KEEPERS: readonly (readonly [name: string, words: RegExp])[] = [
  ['gh', /^auth (token|status .*(-t|--show-token))/],
  ['gcloud', /^auth (print-|application-default print-)/],
  ['aws', /^(configure (get|export-credentials|list)|sts get-session-token|secretsmanager get-secret-value|ssm get-parameters? .*--with-decryption)/],
  ['az', /^(account get-access-token|keyvault secret show)/],
  ['git', /^credential (fill|approve)|^credential-\w+ get/],
  ['security', /^(find-(generic|internet)-password|dump-keychain|export)/],
  ['pass', /^(show|[\w/.-]+$)/],
  ['op', /^(read|item get|get)/],
  ['vault', /^(kv get|read|token (lookup|create))/],
  ['kubectl', /^(get|describe) secrets?\b.*|^config view .*--raw|^create token/],
  ['npm', /^(token|config (get|list|ls).*(_auth|-l|--json))/],
  ['heroku', /^(config\b|auth:token)/],
  ['docker', /^(secret inspect|credential)|\binspect\b.*\bEnv\b/],
  ['ps', /^[a-zA-Z]*e[a-zA-Z]*\b/],
  ['secret-tool', /^(lookup|search)/],
  ['gpg', /--export-secret|^--decrypt|^-d\b/],
  ['history', /.*/],
  ['ssh-add', /^-L/],
];

function lookAtKeepers({ name, args }: Step): Objection | null {
  const line = args.join(' ');
  return KEEPERS.some(([keeper, words]) => keeper === name && words.test(line)) ? block(`This prints stored secrets; ${ASK}.`) : null;
}

/** Checks folders whose content is copied as a whole. */
function lookAtFolders({ name, args, cwd, isElsewhere }: Step, { home }: GuardPlace): Objection | null {
  if (isElsewhere) return null;
  const isWhole =
    /^(tar|zip|7z|rsync|scp|docker|podman)$/.test(name) ||
    readOptions(args).letters.has('r') ||
    readOptions(args).letters.has('R') ||
    readOptions(args).letters.has('a');
  const folders = isWhole ? args.filter((word) => !word.startsWith('-')) : [];
  const has = folders.some((word) =>
    ['id_rsa', 'credentials', 'config'].some(
      (file) => /\.(ssh|aws|kube|gnupg)\/?$/.test(word) && sensitiveToRead(`${word}/${file}`, { cwd, home })?.level === 'block',
    ),
  );
  return has ? block(`This copies a folder of secrets; ${ASK}.`) : null;
}

export const SECRETS: readonly Rule[] = [
  { id: 'reads-a-secret-file', category: 6, names: null, look: lookAtReading },
  { id: 'takes-a-folder-of-secrets-along', category: 6, names: ['tar', 'zip', '7z', 'rsync', 'scp', 'cp', 'grep', 'docker', 'podman'], look: lookAtFolders },
  { id: 'prints-all-variables', category: 6, names: ['env', 'printenv'], look: lookAtDump },
  { id: 'prints-all-shell-variables', category: 6, names: ['set', 'export', 'declare', 'typeset', 'compgen'], look: lookAtDeclared },
  { id: 'prints-a-secret', category: 6, names: ['echo', 'printf'], look: lookAtEcho },
  { id: 'asks-a-keeper-of-secrets', category: 6, names: KEEPERS.map(([name]) => name), look: lookAtKeepers },
];
