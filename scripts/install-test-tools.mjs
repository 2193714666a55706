// Makes sure of bubblewrap, with which tests get a full disk and a root without its powers. Says nothing when it is there and works;
// else installs it where it can, and says in one loud line where it cannot. Only in CI is that a failure.
import { spawnSync } from 'node:child_process';

const timeoutMs = 300_000;

/** A bwrap that is installed may still be forbidden, as in most containers. */
function whyItDoesNotWork() {
  const { error, status, stderr } = spawnSync('bwrap', ['--bind', '/', '/', '--cap-drop', 'ALL', '--size', '4096', '--tmpfs', '/mnt', 'true'], {
    encoding: 'utf8',
  });
  if (error) return `bwrap cannot be run (${error.code ?? error.message})`;
  return status === 0 ? null : `bwrap does not work here (${stderr.trim().split('\n')[0]})`;
}

function whyItCannotBeInstalled() {
  if (process.platform !== 'linux') return 'bubblewrap is for Linux only';
  if (process.getuid() !== 0) return 'only root can install it; try: sudo apt-get install bubblewrap';
  return apt('update') ?? apt('install', '-y', '--no-install-recommends', 'bubblewrap');
}

function apt(...args) {
  const { error, status } = spawnSync('apt-get', args, { stdio: 'ignore', timeout: timeoutMs, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  if (error) return `apt-get cannot be run (${error.code ?? error.message})`;
  return status === 0 ? null : `apt-get ${args[0]} ended with ${status}`;
}

function install() {
  const missing = whyItDoesNotWork();
  if (missing === null) return null;
  const reason = process.argv.includes('--check') ? 'not asked to install it' : whyItCannotBeInstalled();
  return reason === null ? whyItDoesNotWork() : `${missing}; ${reason}`;
}

const reason = install();
if (reason !== null) {
  console.error(`NOT TESTED HERE: full disks and permissions: ${reason}`);
  process.exitCode = process.env.CI ? 1 : 0;
}
