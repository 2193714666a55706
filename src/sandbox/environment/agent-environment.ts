import { redact } from '../../kit/pure/redact.ts';
import { variablesOfVendor } from './vendor-variables.ts';

/** Who and where one is, how one speaks, and where files go. Not PWD: it says where the operator was. */
const PERSON_AND_PLACE = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'LANGUAGE', 'LC_*', 'TZ', 'TZDIR', 'LOCALE_ARCHIVE'];
const TERMINAL = ['TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'COLUMNS', 'LINES', 'CI'];
/** Not XDG_RUNTIME_DIR: sockets of the whole session lie there. */
const BASE_FOLDERS = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_BIN_HOME', 'XDG_CONFIG_DIRS', 'XDG_DATA_DIRS'];
const CERTIFICATES = ['SSL_CERT_*', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO', 'PIP_CERT'];
/** In whose name is committed and which configuration holds; what leads git to another repository, or holds headers and commands, is not here. */
const GIT = ['GIT_AUTHOR_*', 'GIT_COMMITTER_*', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'];
const JAVASCRIPT = ['NODE_*', 'NVM_*', 'FNM_*', 'N_PREFIX', 'npm_config_*', 'PNPM_HOME', 'YARN_*', 'VOLTA_*', 'COREPACK_*', 'BUN_*', 'DENO_*', 'PLAYWRIGHT_*'];
const JVM = ['JAVA_*', 'JDK_*', 'JRE_HOME', 'MAVEN_*', 'M2_HOME', 'GRADLE_*', 'KOTLIN_*', 'SBT_*', 'SDKMAN_*', 'ANDROID_*'];
const GO = ['GOPATH', 'GOROOT', 'GOBIN', 'GOCACHE', 'GOMODCACHE', 'GOTMPDIR', 'GOOS', 'GOARCH', 'GOARM', 'GOAMD64', 'GOFLAGS', 'GOENV', 'GOWORK'];
const GO_MODULES = [
  'GO111MODULE',
  'GOPROXY',
  'GONOPROXY',
  'GOSUMDB',
  'GONOSUMDB',
  'GOPRIVATE',
  'GOINSECURE',
  'GOTOOLCHAIN',
  'GOMAXPROCS',
  'GOMEMLIMIT',
  'CGO_*',
];
const PYTHON = ['PYTHON*', 'VIRTUAL_ENV', 'VIRTUAL_ENV_*', 'PYENV_*', 'PIP_*', 'PIPX_*', 'PIPENV_*', 'UV_*', 'POETRY_*', 'CONDA_*', 'MAMBA_*', 'TOX_*'];
const OTHER_LANGUAGES = [
  'CARGO_*',
  'RUST*',
  'RBENV_*',
  'GEM_*',
  'BUNDLE_*',
  'RUBY*',
  'PHP*',
  'COMPOSER_*',
  'DOTNET_*',
  'NUGET_*',
  'MIX_*',
  'HEX_*',
  'ERL_*',
  'ZIG_*',
];
const TOOLS = ['HOMEBREW_*', 'ASDF_*', 'MISE_*', 'RTX_*', 'NIX_*', 'TURBO_*', 'CCACHE_*', 'SCCACHE_*', 'MAKEFLAGS', 'CMAKE_*', 'PKG_CONFIG_*'];
const COMPILERS = ['CC', 'CXX', 'CPP', 'LD', 'AR', 'CFLAGS', 'CXXFLAGS', 'CPPFLAGS', 'LDFLAGS', 'SDKROOT', 'DEVELOPER_DIR', 'MACOSX_DEPLOYMENT_TARGET'];
/** Where libraries are looked for; never what is put into every process, as LD_PRELOAD does. */
const LIBRARIES = ['LD_LIBRARY_PATH', 'LIBRARY_PATH', 'CPATH', 'C_INCLUDE_PATH', 'CPLUS_INCLUDE_PATH', 'DYLD_LIBRARY_PATH', 'DYLD_FALLBACK_LIBRARY_PATH'];
const WINDOWS = ['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'ProgramData', 'ProgramFiles*', 'CommonProgramFiles*'];
const WINDOWS_USER = [
  'USERPROFILE',
  'USERNAME',
  'USERDOMAIN',
  'HOMEDRIVE',
  'HOMEPATH',
  'PUBLIC',
  'ALLUSERSPROFILE',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_*',
  'OS',
];

/** What every agent and every gate gets, as long as it carries no secret. In any case: `npm_config_x` and `NPM_CONFIG_X` are the same, and so are all names on Windows. */
const PASSING = [
  'RALPH_*',
  ...PERSON_AND_PLACE,
  ...TERMINAL,
  ...BASE_FOLDERS,
  ...CERTIFICATES,
  ...GIT,
  ...JAVASCRIPT,
  ...JVM,
  ...GO,
  ...GO_MODULES,
  ...PYTHON,
  ...OTHER_LANGUAGES,
  ...TOOLS,
  ...COMPILERS,
  ...LIBRARIES,
  ...WINDOWS,
  ...WINDOWS_USER,
];

/** The way out of the house. It passes with its password: without it no model could be reached. */
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'];

/** Matches names of variables by patterns in which `*` stands for any letters, also none. */
function openNamePattern(patterns: readonly string[], { anyCase = false } = {}): (name: string) => boolean {
  const folded = (text: string) => (anyCase ? text.toUpperCase() : text);
  const all = patterns.map((pattern) => folded(pattern).split('*'));
  return (name) => all.some((parts) => fits(folded(name), parts));
}

/** Each part is taken where it is found first: nothing is ever tried twice. */
function fits(name: string, [first = '', ...rest]: readonly string[]): boolean {
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

type Environment = Readonly<Record<string, string>>;

interface AgentWish {
  readonly agentKind: string;
  /** Names that the operator lets pass, `*` for any letters: secrets too, if they say so. */
  readonly pass: readonly string[];
  /** What the operator gives this agent, whatever it is. */
  readonly own?: Environment;
}

const passesAlways = openNamePattern(PASSING, { anyCase: true });
const isProxy = openNamePattern(PROXIES, { anyCase: true });

/** What an agent finds in its environment: what its work and its own vendor need, and what the operator says. Never the rest. */
export function agentEnvironment(base: Environment, { agentKind, pass, own = {} }: AgentWish): Environment {
  return { ...chosen(base, [openNamePattern(pass), openNamePattern(variablesOfVendor(agentKind, base))]), ...own };
}

/** What a gate finds: the same, without the keys of anybody. It runs what the agent wrote. */
export function gateEnvironment(base: Environment, { pass }: Pick<AgentWish, 'pass'>): Environment {
  return chosen(base, [openNamePattern(pass)]);
}

/** Whatever is meant for it, and else what is of use to all and carries no secret. */
function chosen(base: Environment, meant: readonly ((name: string) => boolean)[]): Environment {
  const passes = ([name, value]: readonly [string, string]) =>
    meant.some((isMeant) => isMeant(name)) || isProxy(name) || (passesAlways(name) && !carriesASecret(name, value));
  return Object.fromEntries(Object.entries(base).filter(passes));
}

/** `AUTHOR` is none; `npm_config_//host/:_authToken` is. */
const SECRET_WORD = /key|token|secret|passw|passphrase|credential|auth(?!or)|cookie|session|signature|(?:^|[_:])(?:pass|pwd|pat|pw)(?:$|_)/i;
/** A token may stand for the user, with no password after it. */
const URL_WITH_USER = /:\/\/[^\s/?#@]+@/;
/** Bundler has the login of each host under its name: `BUNDLE_GEMS__EXAMPLE__COM`. */
const BUNDLERS_HOST = /^BUNDLE_\w+?__\w+$/i;

/** Whether a variable that is of use to all is better kept: by its name, or by what is in it. */
function carriesASecret(name: string, value: string): boolean {
  return hasSecretName(name) || BUNDLERS_HOST.test(name) || URL_WITH_USER.test(value) || redact(value) !== value;
}

function hasSecretName(name: string): boolean {
  return SECRET_WORD.test(name);
}
