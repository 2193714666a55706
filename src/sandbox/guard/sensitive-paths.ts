import { absolute, baseName, isIn } from './paths.ts';
import type { CategoryNumber, GuardPlace } from './rule.ts';
import { asText, couldBe, hasHole, isKnown } from './shell/holes.ts';

export interface Sensitive {
  readonly category: CategoryNumber;
  readonly rule: string;
  readonly what: string;
  readonly level: 'warn' | 'block';
}

type Kind = readonly [pattern: RegExp, category: CategoryNumber, rule: string, what: string, level?: 'warn'];

/** Absolute paths that only the system writes. */
const OF_THE_SYSTEM: readonly Kind[] = [
  [/^\/dev\/(tcp|udp)\//, 5, 'connects-by-dev-tcp', 'a network connection'],
  [/^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|loop|mapper|dm-|mem|kmem|port|md|rdisk)/, 2, 'writes-to-a-raw-device', 'a raw device'],
  [/^\/(proc|sys)(\/|$)/, 14, 'writes-to-the-kernel', "the kernel's own file system"],
  [/^\/boot(\/|$)|^\/efi(\/|$)/, 2, 'writes-to-boot', 'what the machine boots from'],
  [/^\/etc\/(hosts|resolv\.conf|pam\.d|security|sysctl|fstab|ssh\/|nsswitch)/, 11, 'writes-system-configuration', 'the configuration of the system'],
  [
    /^\/etc\/(cron|rc\.local|init\.d|systemd|xdg\/autostart|profile)|^\/var\/spool\/(cron|at)|^\/(lib|usr\/lib)\/systemd/,
    15,
    'writes-what-starts-by-itself',
    'what the system starts by itself',
  ],
  [/^\/etc\/sudoers/, 7, 'writes-sudoers', 'who may become root'],
  [/^(\/System)?\/Library\/Launch(Agents|Daemons)(\/|$)/, 15, 'writes-what-starts-by-itself', 'what the system starts by itself'],
  [/^\/$/, 18, 'writes-to-the-system', 'the root of the disk'],
  [
    /^\/(etc|usr|bin|sbin|lib|lib32|lib64|opt|root|srv|System|Library)(\/|$)|^\/var\/(?!tmp\/|folders\/)|^\/var$/,
    18,
    'writes-to-the-system',
    'a folder of the system',
  ],
];

/** Paths relative to the home. */
const OF_THE_HOME: readonly Kind[] = [
  [/^\.ssh\/authorized_keys/, 5, 'lets-somebody-in-by-ssh', 'who may log in by ssh'],
  [/^\.(ssh|aws|gnupg|kube|azure|oci|password-store)(\/|$)/, 18, 'writes-to-a-folder-of-secrets', 'a folder of secrets'],
  [
    /^\.docker\/config\.json$|^\.(netrc|npmrc|pypirc|pgpass|git-credentials|my\.cnf|vault-token|yarnrc|yarnrc\.yml|pip\/|condarc|gemrc)/,
    18,
    'writes-a-file-of-credentials',
    'a file of credentials',
  ],
  [/^\.config\/(gcloud|gh|doctl|hub|op)(\/|$)|^\.cargo\/credentials|^\.gem\/credentials/, 18, 'writes-a-file-of-credentials', 'a file of credentials'],
  [
    /^\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|cshrc|tcshrc|kshrc|inputrc|xprofile|xinitrc|xsessionrc)$|^\.config\/fish(\/|$)/,
    18,
    'writes-to-a-shell-start-file',
    'what every shell of this user runs',
  ],
  [/^\.\w*_history$/, 13, 'writes-the-history', 'the history of what was done'],
  [/^\.(gitconfig|config\/git(\/|$))/, 10, 'writes-the-users-git-configuration', "the user's git configuration"],
  [
    /^Library\/Launch(Agents|Daemons)(\/|$)|^\.config\/(autostart|systemd|launchd|cron)(\/|$)|^\.local\/share\/systemd/,
    15,
    'writes-what-starts-by-itself',
    'what starts by itself',
  ],
  [
    /^\.(claude|codex|cursor|gemini|aider|continue|copilot|windsurf|codeium|amp|opencode)([/.]|$)|^\.config\/(claude|opencode|amp|goose|github-copilot)(\/|$)/,
    15,
    'writes-to-the-settings-of-an-agent',
    'the settings of a coding agent',
  ],
  [/^\.(vscode|vscode-server)(\/|$)|^\.config\/Code(\/|$)/, 15, 'writes-to-the-settings-of-an-editor', 'the settings of an editor'],
];

/** Paths relative to any project. */
const OF_A_PROJECT: readonly Kind[] = [
  [/(^|\/)\.git\/hooks(\/|$)|(^|\/)\.husky(\/|$)/, 15, 'writes-git-hooks', 'hooks that git runs by itself'],
  [/(^|\/)\.git\/(config|info\/attributes|modules|worktrees)([/.]|$)|(^|\/)\.git$/, 10, 'writes-git-configuration', 'the configuration of git'],
  [/(^|\/)\.claude\/(rules|skills|commands|agents|output-styles)(\/|$)/, 15, 'writes-what-agents-read', 'what agents are told', 'warn'],
  [
    /(^|\/)\.(claude|codex|cursor|gemini|windsurf|continue|opencode)(\/|$)|(^|\/)\.mcp\.json$|(^|\/)\.claude\.json$/,
    15,
    'writes-to-the-settings-of-an-agent',
    'the settings of a coding agent',
  ],
];

/** Why an agent must not write a path; null when it may. `path` may contain patterns and holes. */
export function sensitiveToWrite(path: string, { cwd, home, root }: Pick<GuardPlace, 'cwd' | 'home' | 'root'>): Sensitive | null {
  return worstOf(mayBe(absolute(path, { cwd, home }), home, root).map((where) => whyNotToWrite(where, home, root)));
}

function whyNotToWrite(where: string, home: string | null, root: string): Sensitive | null {
  const mapped = where.replace(/^\/private(?=\/(etc|var|tmp)(\/|$))/, '');
  if (isIn(mapped, root)) return firstOf(OF_A_PROJECT, mapped.slice(root.length + 1));
  const inHome = fromHome(mapped, home);
  const ofHome = inHome === undefined ? null : firstOf(OF_THE_HOME, inHome);
  if (ofHome !== null) return ofHome;
  return (inHome === undefined ? firstOf(OF_THE_SYSTEM, mapped) : null) ?? firstOf(OF_A_PROJECT, mapped);
}

/** The path relative to any user's home; undefined when it is in none. */
function fromHome(path: string, home: string | null): string | undefined {
  if (home !== null && path.startsWith(`${home}/`)) return path.slice(home.length + 1);
  return /^\/(?:home|Users)\/[^/]+\/(.*)/.exec(path)?.[1] ?? /^\/root\/(.*)/.exec(path)?.[1];
}

function firstOf(kinds: readonly Kind[], path: string): Sensitive | null {
  const found = kinds.find(([pattern]) => pattern.test(path));
  if (found === undefined) return null;
  const [, category, rule, what, level = 'block'] = found;
  return { category, rule, what, level };
}

const SECRET_HOME =
  /^\.(ssh\/(id_[\w-]+|identity|.*\.pem|\*|config|.*_(rsa|dsa|ecdsa|ed25519))|aws\/(credentials|config|\*|sso)|kube\/config|docker\/config\.json|npmrc|pypirc|pgpass|netrc|git-credentials|my\.cnf|vault-token|gnupg\/|config\/gcloud\/|config\/gh\/hosts|cargo\/credentials|azure\/|password-store|config\/op|claude\/\.credentials|codex\/auth|gem\/credentials)|^\.\w*_history$|^\.(bash|zsh|psql|mysql|python|node_repl|sqlite)_history$|^\.local\/share\/(fish\/fish_history|keyrings)|^Library\/Keychains|^\.(mozilla|config\/(google-chrome|chromium))\/.*(logins|Login Data|Cookies|key\d)/i;
const SECRET_SYSTEM =
  /^\/etc\/(g?shadow|sudoers|ssh\/ssh_host_\w+_key$|ssl\/private|krb5\.keytab)|^\/proc\/[^/]+\/environ$|^\/var\/run\/secrets|^\/run\/secrets|^\/root\//;
const SECRET_NAME =
  /\.(pem|key|p12|pfx|jks|keystore|ppk|kdbx|asc)$|^id_(rsa|dsa|ecdsa|ed25519)$|^(credentials|client_secret.*|service-?account.*)\.json$|^\.(pgpass|netrc|pypirc|git-credentials)$/i;
const SECRET_EXAMPLE = /(pub|public|cert|chain|ca|example|sample|test|dummy|fake|fixture)[\w.-]*\.(pem|key|asc)$/i;
const ENV_FILE = /^\.env(\.(?!example|sample|template|dist|defaults?|schema|test$|ci$)[\w.-]+)?$|^\.envrc$/;

/** Why an agent must not read a path; null when it may. */
export function sensitiveToRead(path: string, { cwd, home }: Pick<GuardPlace, 'cwd' | 'home'>): Sensitive | null {
  return worstOf(mayBe(absolute(path, { cwd, home }), home).map((where) => whyNotToRead(where, home)));
}

function whyNotToRead(where: string, home: string | null): Sensitive | null {
  const inHome = fromHome(where, home);
  const name = baseName(where);
  if (/\.pub$/.test(name)) return null;
  if (inHome !== undefined && SECRET_HOME.test(inHome)) return reading('reads-secrets-of-the-user', 'secrets of the user');
  if (inHome === undefined && SECRET_SYSTEM.test(where)) return reading('reads-secrets-of-the-system', 'secrets of the system');
  if (SECRET_NAME.test(name) && !SECRET_EXAMPLE.test(name)) return reading('reads-a-private-key', 'what looks like a private key or a file of credentials');
  return ENV_FILE.test(name) ? reading('reads-an-env-file', 'variables that may be secrets', 'warn') : null;
}

/** Patterns are tried on these: one file for each kind of place. */
const NOTABLE = ['/etc/passwd', '/etc/shadow', '/etc/hosts', '/etc/sudoers', '/dev/sda', '/proc/1/environ', '/proc/self/environ'];
const NOTABLE_AT_HOME = [
  '.ssh/id_rsa',
  '.ssh/id_ed25519',
  '.ssh/authorized_keys',
  '.aws/credentials',
  '.kube/config',
  '.bashrc',
  '.zshrc',
  '.netrc',
  '.npmrc',
  '.bash_history',
  '.docker/config.json',
];

/** Folders that a pattern at the beginning of a path may stand for. */
const NOTABLE_FOLDERS = ['/etc', '/usr', '/bin', '/sbin', '/lib', '/boot', '/dev', '/proc', '/sys', '/root', '/var', '/opt', '/etc/cron.d', '/etc/ssh'];
const FOLDERS_AT_HOME = ['.ssh', '.aws', '.kube', '.gnupg', '.claude', '.config'];
const FOLDERS_OF_A_PROJECT = ['.git', '.git/hooks', '.claude', '.husky'];

/** The paths that a path with patterns may match, itself included. */
function mayBe(path: string, home: string | null, root: string | null = null): readonly string[] {
  if (isKnown(path) || !path.startsWith('/')) return [asText(path)];
  const at = (folder: string, names: readonly string[]) => names.map((name) => `${folder}/${name}`);
  const notable = [...NOTABLE, ...at(home ?? '/root', NOTABLE_AT_HOME)];
  const folders = [...NOTABLE_FOLDERS, ...at(home ?? '/root', FOLDERS_AT_HOME), ...(root === null ? [] : at(root, FOLDERS_OF_A_PROJECT))];
  return [asText(path), ...notable.filter((each) => couldBe(path, each)), ...(hasHole(path) ? [] : folders.flatMap((folder) => under(path, folder)))];
}

/** The path below that folder, if its beginning is a pattern that matches the folder. */
function under(path: string, folder: string): readonly string[] {
  const names = path.split('/');
  const depth = folder.split('/').length;
  const beginning = names.slice(0, depth).join('/');
  const rest = names.slice(depth).join('/');
  return !isKnown(beginning) && couldBe(beginning, folder) ? [asText(rest === '' ? folder : `${folder}/${rest}`)] : [];
}

const worstOf = (found: readonly (Sensitive | null)[]): Sensitive | null =>
  found.find((each) => each?.level === 'block') ?? found.find((each) => each !== null) ?? null;

const reading = (rule: string, what: string, level: 'warn' | 'block' = 'block'): Sensitive => ({ category: 6, rule, what, level });
