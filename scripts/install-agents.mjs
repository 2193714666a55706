// Installs the pinned real agents into a cache, so that tests can use them; --check only prints where they are.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// claude: later versions need Node 22. An install script puts its binary in place; many npm configurations do not run it, so we do.
const agents = [
  { name: 'claude', package: '@anthropic-ai/claude-code', version: '2.1.197', afterInstall: 'install.cjs' },
  { name: 'codex', package: '@openai/codex', version: '0.166.0' },
];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = resolve(process.env.RALPH_AGENTS_CACHE || join(root, '.cache', 'agents'));
const unfinished = '.installing-';
const unfinishedForMs = 3_600_000;
const npmTimeoutMs = 600_000;

const folderOf = (agent) => join(cache, `${agent.name}-${agent.version}`);
const binaryIn = (folder, agent) => join(folder, 'node_modules', '.bin', agent.name);
const stampOf = (agent) => JSON.stringify({ package: agent.package, version: agent.version, platform: `${process.platform}-${process.arch}` });

/** A stamp file is not enough: the binary must also run and have the pinned version. */
function isInstalled(folder, agent) {
  return readIfThere(join(folder, 'stamp.json')) === stampOf(agent) && saysItsVersion(folder, agent);
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function saysItsVersion(folder, agent) {
  const env = { PATH: process.env.PATH, HOME: folder, DISABLE_AUTOUPDATER: '1' };
  const { status, stdout } = spawnSync(binaryIn(folder, agent), ['--version'], { env, encoding: 'utf8', timeout: 60_000 });
  return status === 0 && stdout.split(/\s+/).includes(agent.version);
}

/** Installs beside the target and renames, so that the target is always complete, even with two concurrent installs. */
function install(agent) {
  mkdirSync(cache, { recursive: true });
  sweepUnfinished();
  const folder = mkdtempSync(join(cache, unfinished));
  try {
    fetchPackage(folder, agent);
    if (!saysItsVersion(folder, agent))
      throw new Error(`${agent.package}@${agent.version} was installed, but does not run on ${process.platform}-${process.arch}`);
    writeFileSync(join(folder, 'stamp.json'), stampOf(agent));
    putInPlace(folder, agent);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A killed install leaves hundreds of megabytes; a running one is never that old. */
function sweepUnfinished() {
  for (const name of readdirSync(cache).filter((entry) => entry.startsWith(unfinished))) {
    const folder = join(cache, name);
    const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > unfinishedForMs) rmSync(folder, { recursive: true, force: true });
  }
}

function fetchPackage(folder, agent) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--include=optional', '--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
  runOrThrow('npm', [...args, `${agent.package}@${agent.version}`], folder);
  if (agent.afterInstall) runOrThrow(process.execPath, [join(folder, 'node_modules', agent.package, agent.afterInstall)], folder);
  // npm's notes name the registry; they are not needed here.
  rmSync(join(folder, 'node_modules', '.package-lock.json'), { force: true });
}

function runOrThrow(file, args, cwd) {
  const { status, signal, error, stderr } = spawnSync(file, args, { cwd, encoding: 'utf8', timeout: npmTimeoutMs, shell: process.platform === 'win32' });
  if (status === 0) return;
  const said = (stderr ?? '')
    .split('\n')
    .filter((line) => line.startsWith('npm error'))
    .slice(0, 2);
  const why = said
    .map((line) =>
      line
        .slice('npm error'.length)
        .replace(/https?:\/\/\S+/g, '(url)')
        .trim(),
    )
    .join('; ');
  throw new Error(`${args.at(-1)}: ${why || error?.message || `${file} ended with ${signal ?? status}`}`);
}

function putInPlace(folder, agent) {
  const target = folderOf(agent);
  try {
    renameSync(folder, target);
  } catch (error) {
    if (isInstalled(target, agent)) return;
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    rmSync(target, { recursive: true, force: true });
    renameSync(folder, target);
  }
}

function check() {
  const missing = agents.filter((agent) => !isInstalled(folderOf(agent), agent));
  for (const agent of agents) {
    console.log(`${agent.name} ${agent.version} ${missing.includes(agent) ? 'missing' : binaryIn(folderOf(agent), agent)}`);
  }
  return missing.length === 0 ? 0 : 1;
}

function installMissing() {
  const missing = agents.filter((agent) => !isInstalled(folderOf(agent), agent));
  if (missing.length === 0) return 0;
  const names = missing.map((agent) => `${agent.name} ${agent.version}`).join(' and ');
  console.log(`Installing ${names} into ${cache} (several hundred megabytes, once) …`);
  const sinceMs = Date.now();
  for (const agent of missing) install(agent);
  console.log(`Installed ${names} in ${Math.round((Date.now() - sinceMs) / 1000)} s.`);
  return 0;
}

try {
  process.exitCode = process.argv.includes('--check') ? check() : installMissing();
} catch (error) {
  console.error(`install-agents: ${error.message.replaceAll('\n', ' ')}`);
  process.exitCode = 1;
}
