import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { formatBytes, plural } from '../../kit/pure/amounts.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { findDocker } from '../../sandbox/docker/find-docker.ts';
import { osSandboxHere } from '../../sandbox/os/why-no-os-sandbox.ts';
import { keptRefs } from '../../workspace/run-ends.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { runsWithStatusIn } from '../manage/find-run.ts';
import { CHECKS, type NamedCheck } from './checks.ts';
import { checkRepository } from './commits.ts';
import type { Check, Finding } from './finding.ts';

/** Everything that a run checks, and what only an operator wants to know. */
export const DOCTOR_CHECKS: readonly NamedCheck[] = [
  ...CHECKS.map((each) => (each.name === 'commits' ? { name: 'git', check: checkRepository } : each)),
  { name: 'sandbox', check: checkSandboxes },
  { name: 'runs', check: checkRuns },
];

/** Which sandbox a run gets, and which are available. */
async function checkSandboxes({ settings: { wall }, workspace: { env, cwd } }: Parameters<Check>[0]): ReturnType<Check> {
  const [{ missing }, docker] = await Promise.all([osSandboxHere(), findDocker(env, cwd)]);
  const ok = [
    `runs use "${wall.mode}"${wall.forced ? ', as the settings say' : ''}`,
    missing === null ? 'os is available' : `os is not available: ${missing.why}`,
    docker === null ? 'docker is not available: neither sbx nor docker sandbox answers' : `docker is available: ${docker.file}`,
  ];
  if (wall.mode !== 'guard' || wall.forced || missing === null) return { findings: [], ok };
  const what = `agents run without a sandbox: ${missing.why}`;
  return { findings: [{ what, where: 'sandbox.mode', fix: missing.hint, isFatal: false }], ok: [] };
}

const MOST_DEAD = 3;
const BLOCK_BYTES = 512;

/** Locks, and runs that ended without an outcome. */
async function checkRuns({ workspace }: Parameters<Check>[0]): ReturnType<Check> {
  const busy = await workspace.refuseBusy().then(
    () => [],
    (error: unknown) => [busyFinding(error)],
  );
  const runs = await runsWithStatusIn([workspace.home.runsFolder]);
  const dead = runs.filter(({ state }) => state === 'dead').slice(0, MOST_DEAD);
  const findings = [...busy, ...dead.map(({ sight }) => deadFinding(sight.run, workspace.home.runsFolder))];
  const idle = findings.length > 0 ? [] : [`no run is at work here, ${runs.length} in all`];
  return { findings, ok: [...idle, ...(await whatIsKept(workspace))] };
}

async function whatIsKept({ git, env, cwd, home }: Workspace): Promise<readonly string[]> {
  const folder = git === null ? home.runsFolder : dirname(home.runsFolder);
  const [bytes, kept] = await Promise.all([bytesBelow(folder), git === null ? new Map<string, ReadonlySet<string>>() : keptRefs(cwd, env)]);
  const refs = [...kept.values()].reduce((sum, { size }) => sum + size, 0);
  if (bytes === 0 && refs === 0) return [];
  return [
    `Ralph keeps ${formatBytes(bytes)} in ${folder} and ${plural(refs, 'ref')} at refs/ralph/kept; ralph runs prune removes what old runs no longer need`,
  ];
}

/** What the files take on the disk. Somebody may be removing some of them. */
async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return await bytesBelow(path);
    return ((await lstat(path).catch(() => null))?.blocks ?? 0) * BLOCK_BYTES;
  });
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

function busyFinding(error: unknown): Finding {
  if (!(error instanceof OperatorError)) throw error;
  return { what: error.message, where: 'the lock of this directory', fix: error.hint, isFatal: false };
}

function deadFinding(run: string, where: string): Finding {
  return {
    what: `run ${run} was killed before it ended`,
    where,
    fix: `Continue it with: ralph runs resume ${run}. Or remove it with: ralph runs prune`,
    isFatal: false,
  };
}
