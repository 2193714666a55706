// Installs what some tests need and a bare machine lacks: bubblewrap, for tests with a full disk and a root user without privileges,
// git-lfs, zsh, fish, chromium, a PostgreSQL server and a pooler for it, and the real agents. It reports in one loud line each what it cannot
// install. Only in CI is that a failure. --check installs nothing and looks for bubblewrap alone.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const timeoutMs = 300_000;
const agentsTimeoutMs = 15 * 60_000;
const onlyCheck = process.argv.includes('--check');

/** Null on success. */
function whyNot(file, args, limitMs = timeoutMs) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { error, status, stderr } = spawnSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], timeout: limitMs, env });
  if (error) return `${file} cannot be run (${error.code ?? error.message})`;
  const said = stderr
    .trim()
    .split('\n')[0]
    .replace(/https?:\/\/\S+/g, '(url)');
  return status === 0 ? null : `${file} ended with ${status} (${said})`;
}

/** An installed bwrap may still be forbidden, as in most containers. */
const bubblewrapFails = () => whyNot('bwrap', ['--bind', '/', '/', '--cap-drop', 'ALL', '--size', '4096', '--tmpfs', '/mnt', 'true']);
const chromiumFails = () => whyNot('chromium', ['--version']);
const lfsFails = () => whyNot('git', ['lfs', 'version']);

const shellFails = (name) => () => whyNot(name, ['--version']);

const debianPostgres = '/usr/lib/postgresql';
const postgresFails = () => (existsSync(debianPostgres) ? null : whyNot('postgres', ['--version']));

/** The package would make a database and start a server, which nobody here asked for. */
function withoutCluster() {
  const folder = '/etc/postgresql-common';
  if (onlyCheck || process.getuid?.() !== 0 || existsSync(folder) || postgresFails() === null) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/createcluster.conf`, 'create_main_cluster = false\n');
}

function postgresReason() {
  withoutCluster();
  return packageReason('postgresql', postgresFails);
}

const poolerFails = () => whyNot('pgbouncer', ['--version']);

/** Tests start a pooler of their own; that of the package stays off. */
function poolerReason() {
  const [folder, unit] = ['/etc/systemd/system', '/etc/systemd/system/pgbouncer.service'];
  if (process.getuid?.() === 0 && existsSync(folder) && !existsSync(unit) && poolerFails() !== null) symlinkSync('/dev/null', unit);
  return packageReason('pgbouncer', poolerFails);
}

let isUpToDate = false;
function installPackage(name) {
  if (onlyCheck) return 'npm test installs it where it can';
  if (process.platform !== 'linux') return `${name} is installed on Linux only`;
  if (process.getuid() !== 0) return `only root can install it; try: sudo apt-get install ${name}`;
  const stale = isUpToDate ? null : whyNot('apt-get', ['update']);
  isUpToDate = true;
  return stale ?? whyNot('apt-get', ['install', '-y', '--no-install-recommends', name]);
}

function packageReason(name, fails) {
  const missing = fails();
  if (missing === null) return null;
  const reason = installPackage(name);
  return reason === null ? fails() : `${missing}; ${reason}`;
}

const agentsReason = () => whyNot(process.execPath, [fileURLToPath(new URL('install-agents.mjs', import.meta.url))], agentsTimeoutMs);

const wanted = [
  ['full disks, permissions and the os sandbox', () => packageReason('bubblewrap', bubblewrapFails)],
  ...(onlyCheck
    ? []
    : [
        ['files kept by git-lfs', () => packageReason('git-lfs', lfsFails)],
        ['completion in zsh', () => packageReason('zsh', shellFails('zsh'))],
        ['completion in fish', () => packageReason('fish', shellFails('fish'))],
        ['the page of ralph ui in a browser', () => packageReason('chromium', chromiumFails)],
        ['plans that machines share by PostgreSQL', postgresReason],
        ['the same behind a pooler', poolerReason],
        ['the real claude and codex', agentsReason],
      ]),
];

for (const [what, reasonNot] of wanted) {
  const reason = reasonNot();
  if (reason === null) continue;
  console.error(onlyCheck ? `${what}: ${reason}` : `!!! SKIPPED, NOT TESTED: ${what}: ${reason}`);
  if (process.env.CI) process.exitCode = 1;
}
