import { redact } from '../../kit/pure/redact.ts';

/** The user, the language and the standard folders. Not PWD: it names the operator's folder. */
const PERSON_AND_PLACE = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'LANGUAGE', 'LC_*', 'TZ', 'TZDIR', 'LOCALE_ARCHIVE'];
const TERMINAL = ['TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'COLUMNS', 'LINES', 'CI'];
/** Without XDG_RUNTIME_DIR: it contains the sockets of the whole session. */
const BASE_FOLDERS = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_BIN_HOME', 'XDG_CONFIG_DIRS', 'XDG_DATA_DIRS'];
const CERTIFICATES = ['SSL_CERT_*', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO', 'PIP_CERT'];
/** The author of commits, whom git also takes from EMAIL, and the configuration files. Variables that lead git to another repository, or contain headers or commands, are left out. */
const GIT = ['EMAIL', 'GIT_AUTHOR_*', 'GIT_COMMITTER_*', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'];
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
const TOOLS = [
  'COMPOSE_PROJECT_NAME',
  'HOMEBREW_*',
  'ASDF_*',
  'MISE_*',
  'RTX_*',
  'NIX_*',
  'TURBO_*',
  'CCACHE_*',
  'SCCACHE_*',
  'MAKEFLAGS',
  'CMAKE_*',
  'PKG_CONFIG_*',
];
const COMPILERS = ['CC', 'CXX', 'CPP', 'LD', 'AR', 'CFLAGS', 'CXXFLAGS', 'CPPFLAGS', 'LDFLAGS', 'SDKROOT', 'DEVELOPER_DIR', 'MACOSX_DEPLOYMENT_TARGET'];
/** Search paths for libraries. Not LD_PRELOAD, which loads code into every process. */
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

/**
 * The variables that every agent and gate gets, unless they contain a secret. Letter case is ignored: `npm_config_x` and `NPM_CONFIG_X` are the same, as are
 * all names on Windows.
 */
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

/** Proxies pass with their passwords: without them an agent could not reach its model. */
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'];

/** Matches names of variables with patterns in which `*` stands for any characters, or none. */
function openNamePattern(patterns: readonly string[], { anyCase = false } = {}): (name: string) => boolean {
  const folded = (text: string) => (anyCase ? text.toUpperCase() : text);
  const all = patterns.map((pattern) => folded(pattern).split('*'));
  return (name) => all.some((parts) => fits(folded(name), parts));
}

/** Matches each part at its first occurrence and never backtracks. */
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

interface Passing {
  /** Names of variables that pass too, with `*` for any characters. They may name secrets. */
  readonly pass: readonly string[];
}

const passesAlways = openNamePattern(PASSING, { anyCase: true });
const isProxy = openNamePattern(PROXIES, { anyCase: true });

/** The environment of a gate: the variables on the common list that contain no secret, and those that the operator adds. Nothing else. */
export function gateEnvironment(base: Environment, { pass }: Passing): Environment {
  const isMeant = openNamePattern(pass);
  const passes = ([name, value]: readonly [string, string]) => isMeant(name) || isProxy(name) || (passesAlways(name) && !carriesASecret(name, value));
  return Object.fromEntries(Object.entries(base).filter(passes));
}

/** `AUTHOR` is not a secret; `npm_config_//host/:_authToken` is. */
const SECRET_WORD = /key|token|secret|passw|passphrase|credential|auth(?!or)|cookie|session|signature|(?:^|[_:])(?:pass|pwd|pat|pw)(?:$|_)/i;
/** The user name may be a token, without a password after it. */
const URL_WITH_USER = /:\/\/[^\s/?#@]+@/;
/** Bundler names the login of a host after the host: `BUNDLE_GEMS__EXAMPLE__COM`. */
const BUNDLERS_HOST = /^BUNDLE_\w+?__\w+$/i;

/** Whether a variable on the common list contains a secret, judged by its name and its value. */
function carriesASecret(name: string, value: string): boolean {
  return hasSecretName(name) || BUNDLERS_HOST.test(name) || URL_WITH_USER.test(value) || redact(value) !== value;
}

function hasSecretName(name: string): boolean {
  return SECRET_WORD.test(name);
}
