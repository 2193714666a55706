import { basename, join } from 'node:path';
import { agentEnvironment } from '../../agents/agent-access.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { capture } from '../../process/capture.ts';
import { withoutGitVariables } from '../../sandbox/environment/environment.ts';
import { agentVariablesOf, factsOf } from '../../settings/schema/recipe-facts.ts';
import type { AgentSpec } from '../../settings/schema/sandbox-spec.ts';
import { commitsByGit } from '../../settings/schema/scm-words.ts';
import { commonDirOfItsOwn } from '../sandbox/open-workspace.ts';
import { agentsOf } from './agent-programs.ts';
import { type CheckResult, type Finding, fine, found, joined, NOTHING, type PlannedRun } from './finding.ts';
import { runInside, WITHIN_MS } from './inside.ts';

/**
 * Makes a commit object as `git commit` would, with its author and signature, in a folder that is removed, and prints the folder of the hooks. `$1` is the
 * branch to be on; empty for the current one.
 */
const SCRIPT = `
export LC_ALL=C
[ -z "$1" ] || git symbolic-ref HEAD "refs/heads/$1" || exit
git rev-parse --git-path hooks
objects=$(mktemp -d) || exit 0
trap 'rm -rf "$objects"' EXIT
export GIT_OBJECT_DIRECTORY="$objects"
sign=; [ "$(git config --type=bool --get commit.gpgSign)" != true ] || sign=-S
tree=$(git hash-object -t tree -w /dev/null) && git commit-tree $sign -m 'ralph: can this be committed?' "$tree" >/dev/null
`;
/** Like those of tasks: the settings of git may depend on the branch. */
const BRANCH_OF_A_TASK = 'ralph/preflight.1';

/** Whether agents can commit where they will work, if the operator can. A commit that nobody can make here is the matter of `checkRepository`. */
export async function checkAgentCommits(run: PlannedRun): Promise<CheckResult> {
  const { settings, workspace } = run;
  if (workspace.git === null || settings.wall.mode === 'docker') return NOTHING;
  const accounts = new Map(agentsOf(settings).map((agent) => [JSON.stringify([agent.kind, agent.env]), agent]));
  return joined(await Promise.all([...accounts.values()].map((agent) => resultOf(agent, run))));
}

async function resultOf(agent: AgentSpec, run: PlannedRun): Promise<CheckResult> {
  const { settings, workspace } = run;
  const env = {
    ...agentEnvironment(workspace.env, { kind: agent.kind, pass: settings.wall.env.pass, ...(agent.env && { env: agent.env }) }),
    ...agentVariablesOf(settings),
  };
  const isInSandbox = settings.wall.mode === 'os';
  // Without a git of its own it would be the operator's branch that changes.
  const branch = factsOf(settings).hasTasks && (await commonDirOfItsOwn(run)) !== null ? BRANCH_OF_A_TASK : '';
  const call = { who: 'agent', env, agentKind: agent.kind, ownGit: true } as const;
  const inside = await runInside({ ...call, script: SCRIPT, args: [branch] }, run);
  if (inside.code === 0) return isInSandbox ? await hooksResult(inside.stdout.trim(), call, run) : NOTHING;
  if (run.signal.aborted) return NOTHING;
  if (!inside.started && inside.stderr !== '') return found(cannotStart(inside.stderr, settings));
  if (inside.code === null) return NOTHING;
  const outside = await capture({
    ...{ file: '/bin/sh', args: ['-c', SCRIPT, 'sh', ''], cwd: workspace.cwd, env: withoutGitVariables(workspace.env) },
    ...{ timeoutMs: WITHIN_MS, signal: run.signal },
  });
  return outside.code === 0 ? found(cannotCommit(inside.stderr, agent, run)) : NOTHING;
}

/** The sandbox refuses every process, for instance because of a link that an agent could turn elsewhere. */
function cannotStart(stderr: string, { wall }: PlannedRun['settings']): Finding {
  const what = `no agent can start in the sandbox "${wall.mode}": ${oneLine(stderr)}`;
  return { what, where: 'sandbox', fix: 'Remove what it refuses, or use another sandbox: --sandbox or sandbox.mode.', isFatal: true };
}

function cannotCommit(stderr: string, agent: AgentSpec, { settings, workspace }: PlannedRun): Finding {
  const where = settings.wall.mode === 'os' ? 'in the sandbox "os"' : 'with the environment that it gets';
  const hidden = workspace.env['GIT_CONFIG_GLOBAL'];
  const why = oneLine(stderr.split('\n').findLast((line) => /^(?:fatal|error): /.test(line)) ?? stderr).replace(/^\w+: /, '');
  return {
    what: `${agent.name ?? basename(agent.command)} cannot commit ${where}, although you can here: ${why}`,
    where: hidden ? `GIT_CONFIG_GLOBAL=${hidden}` : "git's settings",
    fix: /sign/.test(why)
      ? 'Pass on what the key needs (env.pass in .ralph/settings.json), or turn signing off here: git config commit.gpgSign false'
      : 'Name the author in this repository (git config user.name "…", user.email "…"), or show the file that does: {"sandbox": {"readable": ["…"]}}.',
    // Ralph commits what an agent leaves.
    isFatal: !commitsByGit(settings.scm),
  };
}

const OF_A_COMMIT = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'reference-transaction'];

const namesIn = ({ stdout }: { readonly stdout: string }) => stdout.split('\n').filter((name) => name !== '');

/** Git says nothing of a folder of hooks that it does not find, and commits without them. */
async function hooksResult(folder: string, call: Omit<Parameters<typeof runInside>[0], 'script'>, run: PlannedRun): Promise<CheckResult> {
  // Not as arguments: the sandbox shows a program that a command line names.
  const script = OF_A_COMMIT.map((name) => `[ ! -x ${shellQuote(join(folder, name))} ] || echo ${name}`).join('\n');
  const { cwd, env } = run.workspace;
  const outside = namesIn(await capture({ file: '/bin/sh', args: ['-c', script], cwd, env, timeoutMs: WITHIN_MS, signal: run.signal }));
  if (outside.length === 0) return fine('agents can commit in the sandbox');
  const inside = namesIn(await runInside({ ...call, script }, run));
  const hidden = outside.filter((name) => !inside.includes(name));
  if (hidden.length === 0) return fine('agents can commit in the sandbox, with your hooks');
  return found({
    what: `the sandbox "os" hides hooks of git, without which commits would be made: ${hidden.join(', ')}`,
    where: `core.hooksPath: ${folder}`,
    fix: `Show them, in .ralph/settings.json: {"sandbox": {"readable": [${JSON.stringify(folder)}]}}.`,
    isFatal: true,
  });
}
