import { randomUUID } from 'node:crypto';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { oneLine } from '../kit/pure/text.ts';
import type { Captured } from '../process/capture.ts';
import { withoutGitVariables } from '../sandbox/environment/environment.ts';
import { firstComplaint } from './git/git-command.ts';
import { feedGit } from './git/git-feed.ts';
import { openRemoteGit } from './tasks/task-remote.ts';

/** Names the fleet of a remote. Every clone reads it there, so two fleets can never share a remote by mistake. */
const FLEET_REF = 'refs/ralph/fleet';

interface Clone {
  readonly topLevel: string;
  readonly env: Readonly<Record<string, string>>;
}

const openGit = ({ topLevel, env }: Clone) => openRemoteGit(topLevel, withoutGitVariables(env));

/** The remote of a branch: the one that git pulls it from, else `origin`. */
export async function remoteOf(clone: Clone, branch: string): Promise<string> {
  const git = openGit(clone);
  const name = (await git(['config', `branch.${branch}.remote`])).stdout.trim() || 'origin';
  if ((await git(['remote', 'get-url', name])).code === 0) return name;
  throw new OperatorError('no-remote', `the machines of a fleet share a remote, and this repository has none called ${name}`, {
    hint: `Add it with: git remote add ${name} <url>`,
    exitCode: 2,
  });
}

/** The object that names the fleet of a remote; null: it belongs to none. */
export async function fleetOn(clone: Clone, remote: string): Promise<string | null> {
  const listed = await openGit(clone)(['ls-remote', remote, FLEET_REF]);
  if (listed.code !== 0) throw troubleWith(remote, 'cannot be reached', listed);
  return /^([0-9a-f]+)\t/.exec(listed.stdout)?.[1] ?? null;
}

/** A new object that can name a fleet. It is not on the remote yet. */
export async function newFleetId({ topLevel, env }: Clone): Promise<string> {
  const stdin = `A fleet of ralph: ${randomUUID()}\n`;
  const made = await feedGit({ cwd: topLevel, env: withoutGitVariables(env) }, { args: ['hash-object', '-w', '--stdin'], stdin, mostBytes: 100 });
  return made.stdout.toString().trim();
}

/** Makes the remote belong to that fleet, unless it belongs to one by now. Resolves with the one it belongs to. */
export async function claimRemote(clone: Clone, remote: string, fleet: string): Promise<string> {
  const pushed = await openGit(clone)(['push', '--quiet', `--force-with-lease=${FLEET_REF}:`, remote, `${fleet}:${FLEET_REF}`]);
  const there = pushed.code === 0 ? fleet : await fleetOn(clone, remote);
  if (there === null) throw troubleWith(remote, 'refuses what this machine pushes', pushed);
  return there;
}

/** Refuses a machine that could work for hours and then not push it. Only its hooks can still refuse what is pushed. */
export async function refuseWithoutPush(clone: Clone, remote: string, branch: string): Promise<void> {
  const tried = await openGit(clone)(['push', '--quiet', '--dry-run', '--no-verify', remote, `+refs/heads/${branch}:refs/ralph/may-push`]);
  if (tried.code !== 0)
    throw troubleWith(remote, 'does not let this machine push', tried, `A worker pushes what is proven: git push --dry-run ${remote} ${branch}`);
}

/** Fast-forwards the branch and its checkout to the remote. Refuses commits that the other machines do not have: they would work on something else. */
export async function followRemote(clone: Clone, remote: string, branch: string): Promise<void> {
  const git = openGit(clone);
  const seen = `refs/ralph/remote/${branch}`;
  const fetched = await git(['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--force', remote, `+refs/heads/${branch}:${seen}`]);
  if (/couldn't find remote ref/i.test(fetched.stderr)) throw notPushed(branch, remote, `${remote} has no branch ${branch}`);
  if (fetched.code !== 0) throw troubleWith(remote, 'cannot be reached', fetched);
  const count = Number((await git(['rev-list', '--count', `${seen}..refs/heads/${branch}`])).stdout);
  if (count > 0) throw notPushed(branch, remote, `${branch} has ${count === 1 ? 'a commit' : `${count} commits`} that ${remote} does not have`);
  const followed = await git(['merge', '--ff-only', '--quiet', '--no-stat', '--no-autostash', '--no-overwrite-ignore', seen]);
  if (followed.code === 0) return;
  throw new OperatorError('cannot-follow', `${branch} cannot follow ${remote}: ${oneLine(firstComplaint(followed))}`, {
    hint: `Bring it up to date first: git pull --ff-only ${remote} ${branch}`,
    exitCode: 2,
  });
}

/** Refuses a plan that differs from the committed one, which the other machines work on. */
export async function refuseOwnPlan(clone: Clone, path: string): Promise<void> {
  if ((await openGit(clone)(['diff', '--quiet', 'HEAD', '--', path])).code === 0) return;
  throw new OperatorError('plan-differs', `the plan ${path} has changes that the other machines do not have`, {
    hint: 'Commit and push them, or take them back.',
    exitCode: 2,
  });
}

function notPushed(branch: string, remote: string, message: string): OperatorError {
  return new OperatorError('not-pushed', message, { hint: `The other machines work on what is pushed: git push ${remote} ${branch}`, exitCode: 2 });
}

function troubleWith(remote: string, what: string, answer: Captured, hint = `Try it yourself: git ls-remote ${remote}`): OperatorError {
  return new OperatorError('remote-trouble', `the remote ${remote} ${what}: ${oneLine(complaintOf(answer))}`, { hint, exitCode: 4 });
}

/** Where git has only heard a refusal, the line before says why: a key that may only read, for example. */
function complaintOf(answer: Captured): string {
  const complaint = firstComplaint(answer);
  const first = answer.stderr.split('\n').find((line) => line.trim() !== '');
  return /Could not read from remote repository/.test(complaint) && first !== undefined ? first : complaint;
}
