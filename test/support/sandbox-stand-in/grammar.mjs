/**
 * The grammar of `sbx` and of `docker sandbox`, as far as Ralph speaks them, after Docker's reference pages as they stood in 2026-11. Strict on purpose: what is
 * not documented is refused. Where the pages differ from each other the narrower one counts.
 */

export class Refusal extends Error {}

const SBX_AGENTS = ['claude', 'codex', 'copilot', 'cursor', 'devin', 'docker-agent', 'droid', 'gemini', 'kiro', 'opencode', 'shell'];
const DOCKER_AGENTS = ['cagent', 'claude', 'codex', 'copilot', 'gemini', 'kiro', 'opencode', 'shell'];

const flags = (text) =>
  Object.fromEntries(
    text
      .split(' ')
      .filter(Boolean)
      .map((word) => (word.endsWith('=') ? [word.slice(0, -1), 'value'] : [word, 'flag'])),
  );

/** flagsFirst: what follows the first word that is no flag belongs to somebody else. */
const EXEC = {
  flags: flags('-i --interactive -t --tty -d --detach -e= --env= --env-file= -u= --user= -w= --workdir= --privileged --detach-keys='),
  least: 2,
  flagsFirst: true,
};

const GRAMMAR = {
  sbx: {
    agents: SBX_AGENTS,
    name: /^[A-Za-z0-9][A-Za-z0-9.+-]*$/,
    commands: {
      version: { flags: {}, least: 0, most: 0 },
      create: { flags: flags('--name= --clone --cpus= -m= --memory= --kit= --mcp= -t= --template= -e= --env= --env-file= --publish= -q --quiet'), least: 1 },
      exec: EXEC,
      run: { flags: flags('--name= --clone --cpus= -m= --memory= --kit= -t= --template='), least: 0 },
      ls: { flags: flags('--json -q --quiet'), least: 0, most: 0 },
      stop: { flags: {}, least: 1 },
      rm: { flags: flags('-f --force --all'), least: 0 },
      'policy init': { flags: {}, least: 1, most: 1 },
      'policy allow network': { flags: flags('--sandbox='), least: 1, most: 1 },
      'policy deny network': { flags: flags('--sandbox='), least: 1, most: 1 },
      'policy log': { flags: flags('--json --limit= -q --quiet --type='), least: 0, most: 1 },
      'policy check network': { flags: flags('--sandbox= --json --verbose'), least: 1, most: 1 },
    },
  },
  docker: {
    agents: DOCKER_AGENTS,
    name: /^[A-Za-z0-9][A-Za-z0-9._+-]*$/,
    commands: {
      'sandbox version': { flags: {}, least: 0, most: 0 },
      'sandbox create': { flags: flags('--name= --pull-template= -q --quiet -t= --template='), least: 2 },
      'sandbox exec': EXEC,
      'sandbox run': { flags: flags('--name= --pull-template= -t= --template='), least: 1 },
      'sandbox ls': { flags: flags('--json -q --quiet'), least: 0, most: 0 },
      'sandbox stop': { flags: {}, least: 1 },
      'sandbox rm': { flags: {}, least: 1 },
      'sandbox network log': { flags: flags('--json --limit= -q --quiet'), least: 0, most: 0 },
      'sandbox network proxy': {
        flags: flags('--policy= --allow-host= --block-host= --allow-cidr= --block-cidr= --bypass-host= --bypass-cidr='),
        least: 1,
        most: 1,
      },
    },
  },
};

/** `{ command, flags: Map<name, value[]>, words, after }`, the command without "sandbox". Throws a Refusal with the words of a CLI. */
export function parseCommandLine(program, argv) {
  const grammar = GRAMMAR[program];
  const command = Object.keys(grammar.commands)
    .filter((name) => name.split(' ').every((word, index) => argv[index] === word))
    .sort((a, b) => b.length - a.length)[0];
  if (command === undefined) throw new Refusal(`unknown command: ${program} ${argv.join(' ')}`);
  const rule = grammar.commands[command];
  const parsed = readWords(argv.slice(command.split(' ').length), rule);
  if (parsed.words.length < rule.least) throw new Refusal(`"${program} ${command}" requires at least ${rule.least} argument(s)`);
  if (rule.most !== undefined && parsed.words.length > rule.most) throw new Refusal(`"${program} ${command}" accepts ${rule.most} argument(s)`);
  return { command: command.replace(/^sandbox /, ''), ...parsed };
}

function readWords(argv, rule) {
  const found = { flags: new Map(), words: [], after: null };
  const waiting = [...argv];
  while (waiting.length > 0) {
    const word = waiting.shift();
    if (rule.flagsFirst && found.words.length > 0) return { ...found, words: [...found.words, word, ...waiting] };
    if (word === '--') return { ...found, after: waiting };
    if (/^-./.test(word)) readFlag(word, waiting, { rule, flags: found.flags });
    else found.words.push(word);
  }
  return found;
}

function readFlag(word, waiting, { rule, flags: into }) {
  const [, name, given] = /^(--?[^=]+)(?:=(.*))?$/s.exec(word);
  const kind = rule.flags[name];
  const put = (flag, value) => into.set(flag, [...(into.get(flag) ?? []), value]);
  if (kind === 'value') {
    const value = given ?? waiting.shift();
    if (value === undefined || value === '') throw new Refusal(`flag needs an argument: ${name}`);
    return put(name, value);
  }
  if (kind === 'flag' && given === undefined) return put(name, true);
  const letters = /^-[a-z]{2,}$/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [];
  if (letters.length === 0 || !letters.every((letter) => rule.flags[letter] === 'flag')) throw new Refusal(`unknown flag: ${name}`);
  for (const letter of letters) put(letter, true);
}

export function checkName(program, name) {
  if (!GRAMMAR[program].name.test(name)) throw new Refusal(`invalid sandbox name "${name}"`);
}

export function checkAgent(program, agent) {
  if (!GRAMMAR[program].agents.includes(agent)) throw new Refusal(`unknown agent "${agent}", available: ${GRAMMAR[program].agents.join(', ')}`);
}

export const isAgent = (program, word) => GRAMMAR[program].agents.includes(word);
