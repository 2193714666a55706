// Makes sure of bubblewrap, with which tests get a full disk and a root without its powers. Says nothing when it is there and works;
// else installs it where it can, and says in one loud line where it cannot. Only in CI is that a failure. --check installs nothing.
import { spawnSync } from 'node:child_process';

const timeoutMs = 300_000;

/** Null when it went well. */
function whyNot(file, ...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { error, status, stderr } = spawnSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], timeout: timeoutMs, env });
  if (error) return `${file} cannot be run (${error.code ?? error.message})`;
  return status === 0
    ? null
    : `${file} ended with ${status} (${stderr
        .trim()
        .split('\n')[0]
        .replace(/https?:\/\/\S+/g, '(url)')})`;
}

/** A bwrap that is installed may still be forbidden, as in most containers. */
const whyItDoesNotWork = () => whyNot('bwrap', '--bind', '/', '/', '--cap-drop', 'ALL', '--size', '4096', '--tmpfs', '/mnt', 'true');

function whyItCannotBeInstalled() {
  if (process.argv.includes('--check')) return 'npm test installs it where it can';
  if (process.platform !== 'linux') return 'bubblewrap is for Linux only';
  if (process.getuid() !== 0) return 'only root can install it; try: sudo apt-get install bubblewrap';
  return whyNot('apt-get', 'update') ?? whyNot('apt-get', 'install', '-y', '--no-install-recommends', 'bubblewrap');
}

function install() {
  const missing = whyItDoesNotWork();
  if (missing === null) return null;
  const reason = whyItCannotBeInstalled();
  return reason === null ? whyItDoesNotWork() : `${missing}; ${reason}`;
}

const reason = install();
if (reason !== null) {
  console.error(`NOT TESTED HERE: full disks and permissions: ${reason}`);
  process.exitCode = process.env.CI ? 1 : 0;
}
