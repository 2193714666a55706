import { splitWords } from '../../../kit/pure/shell-words.ts';

/** How to find the command that a wrapper runs. */
interface Wrapper {
  /** Options that take the next word as their value. */
  readonly withValue?: readonly string[];
  /** How many words come between its options and the command: a duration, a host. */
  readonly skip?: number;
  /** The command begins after one of these words. */
  readonly after?: readonly string[];
  /** Options whose value is a command line, such as `-c`. */
  readonly text?: readonly string[];
  /** The rest is one command line, not separate words. */
  readonly isText?: boolean;
  /** Each word is a command line. */
  readonly areTexts?: boolean;
  readonly isElsewhere?: boolean;
}

const plain: Wrapper = {};
const run: Wrapper = { after: ['run'] };

const CONTAINER_VALUES = [
  'u',
  'e',
  'w',
  'v',
  'p',
  'l',
  'h',
  'm',
  'a',
  '--name',
  '--user',
  '--env',
  '--env-file',
  '--workdir',
  '--volume',
  '--publish',
  '--network',
];
const MORE_CONTAINER_VALUES = [
  '--mount',
  '--entrypoint',
  '--platform',
  '--cpus',
  '--memory',
  '--label',
  '--hostname',
  '--add-host',
  '--detach-keys',
  '--pull',
  '--restart',
];
const container: Wrapper = { after: ['exec', 'run'], withValue: [...CONTAINER_VALUES, ...MORE_CONTAINER_VALUES], skip: 1, isElsewhere: true };

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: { withValue: ['u', 'g', 'p', 'C', 'h', 'r', 't', 'D', 'R', 'T', 'U', '--user', '--group', '--chdir'] },
  doas: { withValue: ['u', 'C'] },
  pkexec: { withValue: ['--user'] },
  env: { withValue: ['u', 'C', '--unset', '--chdir'], text: ['S', '--split-string'] },
  nice: { withValue: ['n', '--adjustment'] },
  ionice: { withValue: ['c', 'n', 'p'] },
  nohup: plain,
  time: { withValue: ['o', 'f'] },
  command: plain,
  builtin: plain,
  exec: { withValue: ['a'] },
  setsid: plain,
  stdbuf: { withValue: ['o', 'e', 'i'] },
  timeout: { withValue: ['s', 'k', '--signal', '--kill-after'], skip: 1 },
  gtimeout: { withValue: ['s', 'k'], skip: 1 },
  chrt: { skip: 1 },
  taskset: { skip: 1 },
  unbuffer: plain,
  caffeinate: { withValue: ['t', 'w'] },
  'xvfb-run': { withValue: ['s', 'n', 'e', 'f'] },
  fakeroot: plain,
  busybox: plain,
  toybox: plain,
  strace: { withValue: ['o', 'e', 'p', 's', 'u'] },
  ltrace: { withValue: ['o', 'e', 'p', 's', 'u'] },
  chroot: { withValue: ['--userspec', '--groups'], skip: 1 },
  unshare: plain,
  nsenter: { withValue: ['t', 'S', 'G', '--target'] },
  'systemd-run': { withValue: ['u', 'p', 'E', '--unit', '--property'] },
  proot: { withValue: ['r', 'b', 'w'] },
  watch: { withValue: ['n', 'd', '--interval'], isText: true },
  entr: plain,
  flock: { withValue: ['w', 'E'], skip: 1, text: ['c'] },
  script: { withValue: ['t'], text: ['c', '--command'] },
  su: { withValue: ['s', 'g', 'G'], text: ['c', '--command'], skip: 99 },
  runuser: { withValue: ['u', 's', 'g'], text: ['c', '--command'] },
  ssh: {
    withValue: ['p', 'i', 'l', 'o', 'F', 'J', 'L', 'R', 'D', 'W', 'b', 'c', 'E', 'e', 'I', 'm', 'O', 'Q', 'S', 'w', 'B'],
    skip: 1,
    isText: true,
    isElsewhere: true,
  },
  docker: container,
  podman: container,
  nerdctl: container,
  'docker-compose': container,
  kubectl: { after: ['--'], isElsewhere: true },
  npx: { withValue: ['p', '--package'], text: ['c', '--call'] },
  bunx: plain,
  pnpx: plain,
  npm: { after: ['exec', 'x'] },
  pnpm: { after: ['exec', 'dlx'] },
  yarn: { after: ['exec', 'dlx'] },
  bun: { after: ['x'] },
  uv: { after: ['run'], withValue: ['p', '--with', '--python', '--project'] },
  uvx: plain,
  poetry: run,
  pipenv: run,
  hatch: run,
  rye: run,
  pdm: run,
  conda: { after: ['run'], withValue: ['n', 'p'] },
  bundle: { after: ['exec'] },
  direnv: { after: ['exec'], skip: 1 },
  mise: { after: ['--'] },
  dotenv: { after: ['--'] },
  dotenvx: { after: ['--'] },
  'cross-env': plain,
  'env-cmd': plain,
  'nix-shell': { text: ['--run', '--command'], skip: 99 },
  nix: { after: ['-c', '--command'] },
  concurrently: { withValue: ['n', 'c', '--names'], areTexts: true },
  'npm-run-all': { skip: 99 },
  tmux: { after: ['new-session', 'new', 'send-keys', 'neww', 'new-window'], withValue: ['s', 'n', 't', 'c', 'x', 'y'], areTexts: true },
  screen: { withValue: ['S', 'L', 's', 't'] },
};

export type Wrapped =
  | { readonly kind: 'words'; readonly words: readonly string[]; readonly isElsewhere: boolean }
  | { readonly kind: 'texts'; readonly texts: readonly string[]; readonly isElsewhere: boolean };

/** What a wrapper runs; null when it runs nothing, or the command is not a wrapper. */
export function wrappedIn(name: string, args: readonly string[]): Wrapped | null {
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper === undefined) return null;
  const start = wrapper.after === undefined ? 0 : args.findIndex((word) => wrapper.after?.includes(word)) + 1;
  if (wrapper.after !== undefined && start === 0) return null;
  const isElsewhere = wrapper.isElsewhere === true;
  const { rest, text } = afterOptions(args.slice(start), wrapper);
  if (text !== null) return { kind: 'texts', texts: [text], isElsewhere };
  if (rest.length === 0) return null;
  if (wrapper.areTexts) return { kind: 'texts', texts: rest, isElsewhere };
  if (wrapper.isText) return { kind: 'texts', texts: [rest.join(' ')], isElsewhere };
  return { kind: 'words', words: rest, isElsewhere };
}

interface After {
  readonly rest: readonly string[];
  readonly text: string | null;
}

function afterOptions(args: readonly string[], wrapper: Wrapper): After {
  const { skip = 0, text = [] } = wrapper;
  let skipped = 0;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (word === '--') return { rest: args.slice(at + 1), text: null };
    const option = optionOf(word);
    if (text.includes(option ?? ' ')) return { rest: [], text: args.slice(at + 1).join(' ') };
    const taken = wordsTaken(word, option, wrapper);
    if (taken === 0 && skipped === skip) return { rest: args.slice(at), text: null };
    if (taken === 0) skipped += 1;
    at += Math.max(taken - 1, 0);
  }
  return { rest: [], text: null };
}

/** How many words an option or an assignment takes; 0 when it is neither. */
function wordsTaken(word: string, option: string | null, { withValue = [] }: Wrapper): number {
  if (option !== null) return withValue.includes(option) ? 2 : 1;
  return /^[A-Za-z_]\w*=/.test(word) ? 1 : 0;
}

/** `-rc` counts as its last letter, which may take a value. `--name=value` contains its value. */
function optionOf(word: string): string | null {
  if (!word.startsWith('-') || word.length === 1) return null;
  if (word.startsWith('--')) return word.includes('=') ? '' : word;
  return word.at(-1) ?? '';
}

/** Splits a line into words, for tools that take a command line. */
export function wordsOfLine(line: string): readonly string[] {
  const split = splitWords(line);
  return split.kind === 'words' ? split.words : line.split(/\s+/);
}
