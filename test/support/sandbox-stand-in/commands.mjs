import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { checkAgent, checkName, isAgent, Refusal } from './grammar.mjs';
import { listText } from './list-text.mjs';
import { bringNewFiles, startMachine, syncOut } from './machine.mjs';
import { isAllowed, isPreset, policyOf, refusedHosts } from './network.mjs';
import { readEnvFile, runInside } from './run-inside.mjs';

const NEW_FILES_AFTER_MS = 3_000;

/** What each command does, once its words are right. Each answers with an exit code. */
export function commandsOf(stand) {
  const { machines, switches, say } = stand;
  const known = (name) => machines.find(name) ?? refuse(`sandbox "${name}" not found`);
  return {
    create: (parsed) => create(stand, parsed),
    exec: (parsed) => exec(stand, parsed),
    run: (parsed) => run(stand, parsed),
    ls: ({ flags }) => say(listText(stand, flags.has('--json'))),
    async stop({ words }) {
      for (const name of words) {
        const machine = known(name);
        await syncOut(machines, name);
        machines.save({ ...machine, status: 'stopped' });
      }
      return 0;
    },
    rm({ words, flags }) {
      if (stand.program === 'sbx' && !flags.has('-f') && !flags.has('--force')) refuse('cannot ask for confirmation: not a terminal; use --force');
      if (words.length === 0) refuse('"rm" requires a sandbox');
      for (const name of words) machines.remove(known(name).name);
      return 0;
    },
    'policy init'({ words: [preset] }) {
      if (!isPreset(preset)) refuse(`unknown policy "${preset}"`);
      if (machines.globalPolicy() !== null) refuse('the policy is already initialized; use "sbx policy reset" to start over');
      machines.setGlobalPolicy({ preset });
      return 0;
    },
    'policy allow network': (parsed) => addRule(stand, 'allow', parsed),
    'policy deny network': (parsed) => addRule(stand, 'deny', parsed),
    'policy check network'({ words: [target], flags }) {
      const allowed = isAllowed(policyOf(machines, known(only(flags, '--sandbox') ?? refuse('the stand-in checks one sandbox'))), target);
      say(JSON.stringify({ allowed, target }));
      return allowed ? 0 : 1;
    },
    'policy log': ({ words: [name] }) =>
      say(
        JSON.stringify({ blocked_hosts: refusedHosts(machines, name).map((host, count) => ({ host, vm_name: name, count_since: count })), allowed_hosts: [] }),
      ),
    'network log': () =>
      say(
        JSON.stringify({
          entries: machines
            .all()
            .flatMap(({ name }) =>
              refusedHosts(machines, name).map((host, timestamp) => ({ timestamp, sandbox: name, url: `https://${host}/`, status: 'denied' })),
            ),
        }),
      ),
    'network proxy'({ words: [name], flags }) {
      const machine = known(name);
      const rest = only(flags, '--policy') ?? machine.policy.rest;
      if (!['allow', 'deny'].includes(rest)) refuse(`invalid policy "${rest}"`);
      const add = (list, flag) => [...new Set([...list, ...(flags.get(flag) ?? [])])];
      const { allow, deny } = machine.policy;
      machines.save({ ...machine, policy: { rest, allow: add(allow, '--allow-host'), deny: add(deny, '--block-host') } });
      return switches.policyFails ? 1 : 0;
    },
  };
}

function create({ program, machines, switches, say }, { flags, words: [agent, ...paths] }) {
  checkAgent(program, agent);
  const name = only(flags, '--name') ?? refuse('the stand-in wants a name');
  checkName(program, name);
  if (machines.find(name) !== null) refuse(`sandbox "${name}" already exists`);
  if (program === 'sbx' && machines.globalPolicy() === null) refuse('no network policy: run "sbx policy init" first');
  if (switches.createFails) refuse('failed to create VM: no space left on device');
  for (const path of paths) checkPath(path, flags.has('--clone'));
  const readOnly = paths.filter((path) => path.endsWith(':ro')).map((path) => path.slice(0, -3));
  const workspaces = paths.filter((path) => !path.endsWith(':ro'));
  machines.save({ name, agent, workspaces, readOnly, status: 'stopped', policy: { rest: program === 'docker' ? 'allow' : null, allow: [], deny: [] } });
  return say(`Created sandbox ${name}`);
}

function checkPath(path, isCloned) {
  const bare = path.replace(/:ro$/, '');
  if (!isAbsolute(bare)) refuse(`"${path}" is no absolute path`);
  if (!existsSync(bare)) refuse(`workspace ${bare} does not exist`);
  if (path === bare && !statSync(bare).isDirectory()) refuse(`workspace ${bare} is not a directory`);
  if (isCloned && existsSync(join(bare, '.git')) && statSync(join(bare, '.git')).isFile()) refuse('--clone cannot be used in a Git worktree');
}

async function exec(stand, { flags, words: [name, ...command] }) {
  const { program, machines } = stand;
  if (program === 'sbx' && has(flags, '-d', '--detach')) refuse('detached mode is not supported');
  if (has(flags, '-t', '--tty')) refuse('the input device is not a TTY');
  const cwd = only(flags, '-w') ?? only(flags, '--workdir');
  if (cwd !== undefined && !isAbsolute(cwd)) refuse(`working directory "${cwd}" is not absolute`);
  const user = only(flags, '-u') ?? only(flags, '--user');
  const machine = awake(stand, name);
  const env = environmentOf(flags, stand.switches);
  try {
    return await runInside(machines, machine, { command, user, cwd, env, stdin: has(flags, '-i', '--interactive'), mergesStderr: program === 'sbx' });
  } finally {
    stand.syncSoon(name);
  }
}

function environmentOf(flags, { ignoresEnvFile }) {
  const fromFiles = (flags.get('--env-file') ?? []).map((file) => (ignoresEnvFile ? {} : readEnvFile(file)));
  const given = [...(flags.get('-e') ?? []), ...(flags.get('--env') ?? [])].map((pair) => pair.split(/=(.*)/s).slice(0, 2));
  return Object.assign({}, ...fromFiles, Object.fromEntries(given));
}

/** As in seed 003: `docker sandbox run NAME -- -p PROMPT`, without a terminal. sbx needs one. */
async function run(stand, { flags, words: [name], after }) {
  const { program, machines, switches } = stand;
  if (program === 'sbx') refuse('sbx run needs a terminal');
  if (flags.size > 0 || isAgent(program, name)) refuse('the stand-in runs a sandbox that is there');
  const machine = awake(stand, name);
  if (switches.emptyRuns > 0) {
    machines.setSwitch('emptyRuns', switches.emptyRuns - 1);
    return 0;
  }
  try {
    return await runInside(machines, machine, { command: [machine.agent, ...(after ?? [])], env: {}, stdin: false, mergesStderr: false });
  } finally {
    stand.syncSoon(name);
  }
}

/** A stopped one is started, and sees the host as it is; a running one gets new files only. */
function awake({ machines, switches }, name) {
  const machine = machines.find(name) ?? refuse(`sandbox "${name}" not found`);
  if (machine.status === 'running') bringNewFiles(machines, machine, switches.newFileMs ?? NEW_FILES_AFTER_MS);
  else startMachine(machines, machine);
  return machines.find(name);
}

function addRule({ machines }, kind, { words: [resources], flags }) {
  const machine = machines.find(only(flags, '--sandbox') ?? refuse('the stand-in allows nothing for the whole machine')) ?? refuse('sandbox not found');
  if (machines.globalPolicy() === null) refuse('no network policy: run "sbx policy init" first');
  const rules = [...new Set([...machine.policy[kind], ...resources.split(',')])];
  machines.save({ ...machine, policy: { ...machine.policy, [kind]: rules } });
  return 0;
}

const has = (flags, ...names) => names.some((name) => flags.has(name));
const only = (flags, name) => flags.get(name)?.at(-1);

function refuse(message) {
  throw new Refusal(message);
}
