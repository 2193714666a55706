// The cost of the os sandbox per start: the same command without and with it, in turn, including the planning of the mounts.
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definitions } from '../.cache/inside/src/agents/definitions.js';
import { definitionNamed } from '../.cache/inside/src/agents/find-definition.js';
import { openOsSandbox } from '../.cache/inside/src/sandbox/os/open-os-sandbox.js';
import { inTurn } from './in-turn.mjs';
import { report } from './measure.mjs';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-bench-sandbox-')));
const at = (name) => join(folder, name);
const secrets = ['.ssh', '.aws', '.gnupg', '.kube', '.config/gh', '.config/gcloud', '.mozilla', '.codex', '.claude/commands'];
for (const name of ['repo', ...secrets.map((secret) => `home/${secret}`)]) mkdirSync(at(name), { recursive: true });
execFileSync('git', ['init', '-q'], { cwd: at('repo') });
writeFileSync(at('home/.claude.json'), '{}');

const wall = await openOsSandbox({
  home: at('home'),
  commonDir: at('repo/.git'),
  sealed: [],
  sealedBelow: [],
  tracked: [],
  writable: [],
  readable: [],
  hidden: [],
  sockets: [],
  login: definitionNamed('claude').login,
  logins: definitions.map(({ login }) => login),
  hosts: ['api.example.org'],
  socketPath: at('p.sock'),
  cacheFolder: at('cache'),
  upstream: {},
  onRefused: () => {},
});
const call = { who: 'agent', file: 'sh', args: ['-c', ':'], cwd: at('repo'), env: { PATH: process.env.PATH, HOME: at('home') } };
/** The extra input is read at descriptor 3. */
const start = ({ file, args, cwd, env, extraInput }) => {
  if (extraInput) writeFileSync(at('extraInput'), extraInput);
  const fd = extraInput ? openSync(at('extraInput'), 'r') : null;
  const { status } = spawnSync(file, args, { cwd, env, stdio: ['ignore', 'ignore', 'ignore', ...(fd === null ? [] : [fd])] });
  if (fd !== null) closeSync(fd);
  if (status !== 0) throw new Error(`it ended with ${status}`);
};
/** The whole of it: planned, started, ended. */
const walled = (request) => async () => {
  const { leave, ...rest } = await wall.enclose(request);
  start(rest);
  await leave();
};

try {
  const enclosed = await wall.enclose(call);
  const times = await inTurn(40, {
    bare: () => start(call),
    node: () => void spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' }),
    wrapped: () => start(enclosed),
    plan: async () => await wall.enclose(call).then(({ leave }) => leave()),
    walled: walled(call),
    gate: walled({ ...call, who: 'gate' }),
    offline: walled({ ...call, who: 'gate', isOffline: true }),
  });
  const more = (name) => times(name) - times('bare');
  report(
    'sandbox: an agent behind the wall',
    `+${more('walled').toFixed(0)} ms`,
    `${(times('walled') / times('node')).toFixed(2)}x`,
    'at most 80 ms more; of a bare node',
  );
  report('sandbox: a gate behind the wall', `+${more('gate').toFixed(0)} ms`, '', 'at most 20 ms more');
  report('sandbox: a gate without a network', `+${more('offline').toFixed(0)} ms`, '', '');
  report('sandbox: of that, mounts and launcher', `+${more('wrapped').toFixed(0)} ms`, '', '');
  report('sandbox: of that, the plan', `+${times('plan').toFixed(0)} ms`, '', '');
} finally {
  await wall[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}
