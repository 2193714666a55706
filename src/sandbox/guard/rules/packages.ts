import { block, type Objection, type Rule, warn } from '../rule.ts';
import { readOptions } from '../shell/options.ts';
import type { Step } from '../step.ts';
import { isLoopback } from './network.ts';
import { isOther } from './package-sources.ts';

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
    ? warn('This installs what no registry has looked at.')
    : block('This installs from an address no registry has looked at; use a package of the registry.');
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
  if (remote !== undefined && !isLoopback(remote)) return block('This installs from an address no index has looked at; use a package of the index.');
  return operands.some((word) => word.includes('git+')) ? warn('This installs what no index has looked at.') : null;
}

/** Each tool with the arguments that install packages from elsewhere. */
const ELSEWHERE: readonly (readonly [name: RegExp, words: RegExp, objection: Objection])[] = [
  [
    /^(gem|bundle|bundler)$/,
    /(--source|-s|sources (-a|--add)|config (set )?.*mirror)(?!.*rubygems\.org)/,
    block('This takes packages from another source; use the one the project is set up for.'),
  ],
  [/^go$/, /env -w .*(GOPROXY|GONOSUM|GOFLAGS|GOINSECURE|GOSUMDB|GOPRIVATE)/, block('This changes where modules come from; leave that to the operator.')],
  [/^cargo$/, /^install .*(--git|--registry|--index)/, warn('This installs what no registry has looked at.')],
  [/^(add-apt-repository|apt-key)$/, /^/, block('This takes packages from another source; leave that to the operator.')],
  [/^(apt|apt-get)$/, /--allow-unauthenticated|--force-yes/, block('This takes packages from another source; leave that to the operator.')],
  [/^brew$/, /^tap \S+ \S+/, block('This takes packages from another source; leave that to the operator.')],
  [/^easy_install$/, /^/, block('This installs past the index; use pip.')],
  [/^docker$/, /(^| )push( |$)/, warn('This publishes an image; be sure that it is meant.')],
];

function lookAtOthers({ name, args }: Step): Objection | null {
  const line = args.join(' ');
  return ELSEWHERE.find(([names, words]) => names.test(name) && words.test(line))?.[2] ?? null;
}

/** npx downloads and runs what is not installed. */
function lookAtNpx({ args }: Step): Objection | null {
  if (args.some((word) => /^(git\+)?https?:\/\//.test(word) && !isLoopback(word)))
    return block('This runs what comes from the network unseen; add it to the project first.');
  if (args.some((word) => /^--(no|no-install|offline)$/.test(word)) || args.length === 0) return null;
  return warn('What is not installed here is fetched and run at once; add it to the project, or use --no-install.');
}

/** deno downloads and runs code that is named by a URL. */
const lookAtDeno = ({ args }: Step): Objection | null =>
  /^(run|install|eval|serve|x)$/.test(args[0] ?? '') && args.some((word) => /^https?:\/\//.test(word) && !isLoopback(word))
    ? block('This runs what comes from the network unseen; save it, read it, and run it then.')
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
