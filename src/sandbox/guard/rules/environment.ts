import { absolute, isIn, startsUnknown } from '../paths.ts';
import { block, type GuardPlace, type Objection, type Rule, warn } from '../rule.ts';
import { hasHole } from '../shell/holes.ts';
import type { Assigned, Step } from '../step.ts';

const RUNS_FIRST = 'This makes every program run something else first; call what you mean by its name.';
const ALWAYS =
  /^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|DYLD_\w+|PROMPT_COMMAND|BASH_ENV|ENV|ZDOTDIR|HISTFILE|HISTCONTROL|HISTSIZE|HISTFILESIZE|GIT_SSH|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|GIT_ASKPASS|SSH_ASKPASS|GIT_PROXY_COMMAND|GIT_CONFIG_\w+|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|PERL5OPT|PERL5LIB|RUBYOPT|PYTHONSTARTUP|PYTHONHOME|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|BASH_FUNC_\w+%*|PS4|LESSOPEN|SUDO_ASKPASS)$/;
const SEARCHED = /^(LD_LIBRARY_PATH|PYTHONPATH|NODE_PATH|RUBYLIB|CLASSPATH|GEM_PATH|GEM_HOME)$/;
const SOURCES =
  /^(npm_config_registry|NPM_CONFIG_REGISTRY|PIP_INDEX_URL|PIP_EXTRA_INDEX_URL|PIP_TRUSTED_HOST|UV_INDEX_URL|UV_DEFAULT_INDEX|GOPROXY|GONOSUMDB|GOSUMDB|GOINSECURE|YARN_REGISTRY|YARN_NPM_REGISTRY_SERVER|CARGO_REGISTRIES_\w+|BUNDLE_MIRROR\w*)$/;
const OFFICIAL = /registry\.npmjs\.org|registry\.yarnpkg\.com|pypi\.org|proxy\.golang\.org|sum\.golang\.org|localhost|127\.0\.0\.1|^(direct|off)$/;

function lookAtVariable(variable: Assigned, step: Step, place: GuardPlace): Objection | null {
  const { name, value } = variable;
  if (name === 'PATH') return lookAtPath(value, step, place);
  if (SEARCHED.test(name)) return lookAtSearched(name, value, { step, place });
  return lookAtRunning(variable) ?? lookAtTrust(variable);
}

const LOADS = /(^|\s)(-r|--require|--import|--loader|--experimental-loader|--inspect\S*|--eval|-e)(\s|=|$)/;

function lookAtRunning({ name, value }: Assigned): Objection | null {
  if (name === 'HISTFILE' && value === '') return block('This hides commands from the history; leave it alone.');
  if (ALWAYS.test(name) && value !== '') return block(RUNS_FIRST);
  return name === 'NODE_OPTIONS' && LOADS.test(value) ? block(RUNS_FIRST) : null;
}

function lookAtTrust({ name, value }: Assigned): Objection | null {
  if (SOURCES.test(name) && !OFFICIAL.test(value)) return block('This takes packages from elsewhere; use what the project is set up for.');
  if (/^(NODE_TLS_REJECT_UNAUTHORIZED|GIT_SSL_NO_VERIFY|PYTHONHTTPSVERIFY)$/.test(name)) return warn('This trusts every machine that answers.');
  return /^(https?|all)_proxy$/i.test(name) && value !== '' && !/localhost|127\.0\.0\.1/.test(value)
    ? warn('This sends all traffic over another machine.')
    : null;
}

const isOurs = (path: string, { cwd }: Step, { home, root }: GuardPlace) => {
  const where = absolute(path, { cwd, home });
  return (
    isIn(where, root) || startsUnknown(where) || /^\/(usr|opt|bin|sbin|nix|snap|Applications|Library)(\/|$)/.test(where) || (home !== null && isIn(where, home))
  );
};

/** Adding folders to PATH is fine if the usual ones stay and the new ones are in the project, the home or the system. */
function lookAtPath(value: string, step: Step, place: GuardPlace): Objection | null {
  const parts = value.split(':').filter((part) => part !== '');
  const keeps = value.includes('/usr/bin') || hasHole(value);
  if (!keeps) return block('Without the usual folders, other programs run under known names; add to $PATH instead.');
  return parts.every((part) => part !== '.' && isOurs(part, step, place))
    ? null
    : block('Programs in that folder would replace known commands; call them by their path.');
}

function lookAtSearched(name: string, value: string, { step, place }: { readonly step: Step; readonly place: GuardPlace }): Objection | null {
  const isFine = value.split(':').every((part) => part === '' || isOurs(part, step, place));
  if (!isFine) return block(RUNS_FIRST);
  return name === 'LD_LIBRARY_PATH' ? warn('Programs take their libraries from there first.') : null;
}

function lookAtAssigned(step: Step, place: GuardPlace): Objection | null {
  if (step.name !== '') return null;
  return worst(step.assigned.map((each) => lookAtVariable(each, step, place)));
}

function lookAtExport(step: Step, place: GuardPlace): Objection | null {
  const given = step.args.flatMap((word) =>
    /^[A-Za-z_]\w*=/.test(word) ? [{ name: word.slice(0, word.indexOf('=')), value: word.slice(word.indexOf('=') + 1) }] : [],
  );
  return worst(given.map((each) => lookAtVariable(each, step, place)));
}

const worst = (all: readonly (Objection | null)[]): Objection | null =>
  all.find((each) => each?.level === 'block') ?? all.find((each) => each !== null) ?? null;

const USED =
  /^(ls|cd|git|sudo|rm|cp|mv|cat|ssh|npm|node|python3?|pip3?|docker|make|curl|su|bash|sh|vim?|grep|find|kubectl|terraform|ralph|claude|echo|test|exit|kill|chmod)$/;

function lookAtAlias({ args }: Step): Objection | null {
  const names = args.flatMap((word) => (word.indexOf('=') > 0 ? [word.slice(0, word.indexOf('='))] : []));
  if (names.some((name) => USED.test(name))) return block('This makes a known command do something else; call what you mean by its name.');
  return names.length > 0 ? warn('An alias hides what is run; write the command out.') : null;
}

export const ENVIRONMENT: readonly Rule[] = [
  { id: 'sets-a-variable-that-runs-things', category: 13, names: [''], look: lookAtAssigned },
  {
    id: 'exports-a-variable-that-runs-things',
    category: 13,
    names: ['export', 'declare', 'typeset', 'readonly', 'local', 'setenv', 'env', 'launchctl'],
    look: lookAtExport,
  },
  { id: 'renames-commands', category: 13, names: ['alias'], look: lookAtAlias },
  {
    id: 'puts-something-else-under-a-known-name',
    category: 13,
    names: ['hash', 'enable', 'export'],
    look: ({ name, args }) =>
      (name === 'hash' && args.includes('-p')) || (name !== 'hash' && args.includes('-f') && (name === 'enable' || args.some((word) => USED.test(word))))
        ? block('This makes a known command do something else; call what you mean by its name.')
        : null,
  },
  {
    id: 'forgets-the-history',
    category: 13,
    names: ['unset', 'set', 'shopt'],
    look: ({ args }) =>
      args.some((word) => /^(HISTFILE|PROMPT_COMMAND)$/.test(word)) || (args[0] === '+o' && args[1] === 'history')
        ? block('This hides commands from the history; leave it alone.')
        : null,
  },
];
