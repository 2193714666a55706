import { baseName } from '../paths.ts';
import { block, type Objection, type Rule, warn } from '../rule.ts';
import { readOptions } from '../shell/options.ts';
import { WRITTEN } from '../shell/redirects.ts';
import type { Step } from '../step.ts';
import { isLoopback } from './network.ts';

const PUBLISH = 'nothing is published by an agent; leave it to the operator, or use --dry-run';
/** Each tool with the arguments that publish or unpublish. */
const PUBLISHING: Readonly<Record<string, RegExp>> = {
  npm: /^(publish|unpublish|deprecate|owner|access|dist-tag (add|rm)|token|adduser|login|star|team|org|hook)\b/,
  yarn: /^(npm )?(publish|unpublish|login)\b/,
  pnpm: /^(-r )?publish\b/,
  bun: /^publish\b/,
  lerna: /^publish\b/,
  changeset: /^publish\b/,
  cargo: /^(publish|yank|owner|login)\b/,
  twine: /^upload\b/,
  poetry: /^publish\b/,
  uv: /^publish\b/,
  flit: /^publish\b/,
  hatch: /^publish\b/,
  pdm: /^publish\b/,
  gem: /^(push|yank|owner)\b/,
  mvn: /(^| )deploy\b/,
  gradle: /(^| )publish/,
  gradlew: /(^| )publish/,
  vsce: /^publish\b/,
  ovsx: /^publish\b/,
  dotnet: /^nuget push\b/,
  nuget: /^push\b/,
  pod: /^trunk push\b/,
  dart: /^pub publish\b/,
  flutter: /^pub publish\b/,
  mix: /^hex\.publish\b/,
  'semantic-release': /^/,
  np: /^/,
  jsr: /^publish\b/,
  deno: /^publish\b/,
};

function lookAtPublishing({ name, args }: Step): Objection | null {
  const words = args.filter((word) => !word.startsWith('-')).join(' ');
  const isDry = args.some((word) => /^--dry-?run(=true)?$|^-n$/.test(word));
  if (isDry || PUBLISHING[name]?.test(words) !== true) return null;
  return block(`This changes what others install; ${PUBLISH}.`);
}

const NPMS = ['npm', 'yarn', 'pnpm', 'bun', 'npx'];

function lookAtNpm({ args }: Step): Objection | null {
  const { values, operands } = readOptions(args, ['--registry']);
  const elsewhere = [...values].some(([name, given]) => /registry$/.test(name) && given.some(isOther));
  if (elsewhere) return block('This takes packages from another registry; use the one the project is set up for.');
  const isConfig = /^((config|c) )?set /.test(operands.join(' '));
  const isOfficial = operands.some((word) => /registry/i.test(word)) && operands.some((word) => /https:/.test(word) && !isOther(word.replace(/^[^=]*=/, '')));
  if (
    isConfig &&
    !isOfficial &&
    operands.some((word) => /registry|proxy|ca\b|cafile|strict-ssl|script-shell|_auth|ignore-scripts|prefix|node-options/i.test(word))
  )
    return block('This changes where packages come from for the whole user; leave that to the operator.');
  if (!/^(install|i|add|ci|isntall)$/.test(operands[0] ?? '')) return null;
  const [source] = operands
    .slice(1)
    .map((word) => word.replace(/^@?[\w./-]+@(?=\w+(\+\w+)?:\/\/)/, ''))
    .filter((word) => /^(https?|git\+\w+|git):\/\//.test(word));
  if (source === undefined) return null;
  return /^(git\+)?(https|ssh|git):\/\/([\w-]+@)?(github\.com|gitlab\.com|bitbucket\.org)\//.test(source)
    ? warn('This installs a package that is not from a registry.')
    : block('This installs from an address instead of a registry; use a package of the registry.');
}

/** The arguments of pip, called directly or by `python -m pip`. */
function pipWords({ name, args }: Step): readonly string[] | null {
  if (!/^python/.test(name)) return args;
  return args.includes('-m') && args.includes('pip') ? args.slice(args.indexOf('pip') + 1) : null;
}

const INDEXES = ['i', 'f', '--index-url', '--extra-index-url', '--find-links', '--index', '--default-index', '--proxy'];

function lookAtPip(step: Step): Objection | null {
  const words = pipWords(step);
  if (words === null) return null;
  const { values, names, operands } = readOptions(words, [...INDEXES, 'r', 'c', '--trusted-host', '--requirement']);
  const sources = INDEXES.flatMap((each) => values.get(each) ?? []).filter((url) => url.includes('://'));
  if (names.has('--trusted-host') || sources.some(isOther)) return block('This takes packages from another index; use the one the project is set up for.');
  if (operands.includes('config') && operands.includes('set'))
    return block('This changes where packages come from for the whole user; leave that to the operator.');
  const remote = operands.find((word) => /^(\w+ @ )?(https?|ftp):\/\//.test(word));
  if (remote !== undefined && !isLoopback(remote)) return block('This installs from an address instead of the package index; use a package of the index.');
  return operands.some((word) => word.includes('git+')) ? warn('This installs a package that is not from the index.') : null;
}

/** Each tool with the arguments that install packages from elsewhere. */
const ELSEWHERE: readonly (readonly [name: RegExp, words: RegExp, objection: Objection])[] = [
  [
    /^(gem|bundle|bundler)$/,
    /(--source|-s|sources (-a|--add)|config (set )?.*mirror)(?!.*rubygems\.org)/,
    block('This takes packages from another source; use the one the project is set up for.'),
  ],
  [/^go$/, /env -w .*(GOPROXY|GONOSUM|GOFLAGS|GOINSECURE|GOSUMDB|GOPRIVATE)/, block('This changes where modules come from; leave that to the operator.')],
  [/^cargo$/, /^install .*(--git|--registry|--index)/, warn('This installs a package that is not from a registry.')],
  [/^(add-apt-repository|apt-key)$/, /^/, block('This takes packages from another source; leave that to the operator.')],
  [/^(apt|apt-get)$/, /--allow-unauthenticated|--force-yes/, block('This takes packages from another source; leave that to the operator.')],
  [/^brew$/, /^tap \S+ \S+/, block('This takes packages from another source; leave that to the operator.')],
  [/^easy_install$/, /^/, block('This installs without the index; use pip.')],
  [/^docker$/, /(^| )push( |$)/, warn('This publishes an image; be sure that it is meant.')],
];

function lookAtOthers({ name, args }: Step): Objection | null {
  const line = args.join(' ');
  return ELSEWHERE.find(([names, words]) => names.test(name) && words.test(line))?.[2] ?? null;
}

/** npx downloads and runs what is not installed. */
function lookAtNpx({ args }: Step): Objection | null {
  if (args.some((word) => /^(git\+)?https?:\/\//.test(word) && !isLoopback(word))) return block('This runs a download unread; add it to the project first.');
  if (args.some((word) => /^--(no|no-install|offline)$/.test(word)) || args.length === 0) return null;
  return warn('This downloads what is not installed and runs it at once; add it to the project, or use --no-install.');
}

/** deno downloads and runs code that is named by a URL. */
const lookAtDeno = ({ args }: Step): Objection | null =>
  /^(run|install|eval|serve|x)$/.test(args[0] ?? '') && args.some((word) => /^https?:\/\//.test(word) && !isLoopback(word))
    ? block('This runs a download unread; save it, read it, then run it.')
    : null;

export const PACKAGES: readonly Rule[] = [
  { id: 'publishes', category: 9, names: Object.keys(PUBLISHING), look: lookAtPublishing },
  { id: 'takes-packages-from-elsewhere', category: 9, names: NPMS, look: lookAtNpm },
  { id: 'takes-python-packages-from-elsewhere', category: 9, names: ['pip', 'pip3', 'pipx', 'uv', 'python', 'python3'], look: lookAtPip },
  {
    id: 'takes-other-packages-from-elsewhere',
    category: 9,
    names: ['gem', 'bundle', 'bundler', 'go', 'cargo', 'apt', 'apt-get', 'add-apt-repository', 'apt-key', 'brew', 'easy_install', 'docker'],
    look: lookAtOthers,
  },
  { id: 'fetches-and-runs', category: 9, names: ['npx', 'bunx', 'pnpx', 'uvx'], look: lookAtNpx },
  { id: 'fetches-and-runs-by-address', category: 9, names: ['deno', 'bun'], look: lookAtDeno },
  {
    id: 'fetches-and-runs-by-its-manager',
    category: 9,
    names: ['pnpm', 'yarn', 'npm', 'pipx', 'bun'],
    look: ({ name, args }) =>
      /^(dlx|x)$/.test(args[0] ?? '') || (name === 'npm' && args[0] === 'exec') || (name === 'pipx' && args[0] === 'run') ? lookAtNpx({ args } as Step) : null,
  },
];

const OFFICIAL =
  /^https:\/\/(registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.jsr\.io|pypi\.org|files\.pythonhosted\.org|rubygems\.org|index\.crates\.io|proxy\.golang\.org|download\.pytorch\.org|repo\.packagist\.org|packagist\.org|conda\.anaconda\.org|api\.nuget\.org|repo\.maven\.apache\.org)(\/|$)/;

/** Whether a URL is neither one of the official registries nor on this machine. */
const isOther = (url: string): boolean => !OFFICIAL.test(url) && !isLoopback(url);

const FROM_ELSEWHERE = block('This takes packages from another place; use the one the project is set up for.');

/** Each tool with the arguments that set where its packages come from. */
const SETTING: Readonly<Record<string, RegExp>> = {
  npm: /^(config|c|set)\b/,
  yarn: /^config\b/,
  pnpm: /^(config|c|set)\b/,
  bun: /^config\b/,
  pip: /^config\b/,
  pip3: /^config\b/,
  poetry: /^(source add|config)\b/,
  pdm: /^config\b/,
  uv: /^index\b/,
  composer: /^(global )?(config|repository)\b/,
  dotnet: /^nuget (add|update) source\b/,
  nuget: /^sources?\b/,
  conda: /^config\b/,
  mamba: /^config\b/,
  bundle: /^config\b/,
  gem: /^sources?\b/,
  luarocks: /^config\b/,
  mix: /^hex\.(repo|config)\b/,
};

const URLS = /https?:\/\/[^\s"'#,;)]+/g;

function lookAtSetting({ name, args }: Step): Objection | null {
  const words = args.filter((word) => !word.startsWith('-') || word.includes('='));
  if (SETTING[name]?.test(words.join(' ')) !== true) return null;
  return words.some((word) => (word.match(URLS) ?? []).some(isOther)) ? FROM_ELSEWHERE : null;
}

/** Files that set where packages come from. */
const CONFIGS =
  /^(\.npmrc|\.yarnrc(\.yml)?|pip\.(conf|ini)|bunfig\.toml|\.condarc|\.gemrc|uv\.toml|nuget\.config|config\.toml|requirements[\w.-]*\.txt|constraints[\w.-]*\.txt|Gemfile|Pipfile|pyproject\.toml|\.pypirc)$/i;
const NAMED_SOURCE =
  /(^|\n|[\s[@#/|,;.])([\w@.:-]{0,80}?)(registry|index|source|mirror|find-links|url)[\w.-]*["']?\s*[:= ]\s*\\?["']?(https?:\/\/[^\s"'#,;)]+)/gi;

/** A registry for one scope only is allowed: companies use it for their own packages. */
const isScoped = (before: string) => /@[\w-]+:$/.test(before);

function lookAtConfig(step: Step): Objection | null {
  if (!step.args.some((word) => CONFIGS.test(baseName(word)))) return null;
  const isGiven = step.name === WRITTEN || step.name === 'tee' || step.name === 'sponge';
  const text = isGiven ? (step.input?.text ?? '') : step.args.join('\n');
  const others = [...text.matchAll(NAMED_SOURCE)].filter(([, , , key, url = '']) => key !== 'url' && isOther(url));
  if (others.length === 0) return null;
  return others.every(([, , before = '']) => isScoped(before)) ? warn('This takes packages of one scope from another place.') : FROM_ELSEWHERE;
}

export const PACKAGE_SOURCES: readonly Rule[] = [
  { id: 'sets-where-packages-come-from', category: 9, names: Object.keys(SETTING), look: lookAtSetting },
  { id: 'writes-where-packages-come-from', category: 9, names: [WRITTEN, 'tee', 'sponge', 'sed', 'gsed', 'perl'], look: lookAtConfig },
];
