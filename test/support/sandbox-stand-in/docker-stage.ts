import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { definitions } from '../../../src/agents/definitions.ts';
import type { SandboxCall, SandboxPort, SandboxRefusal } from '../../../src/engine/ports/sandbox.ts';
import type { ProcessEnding } from '../../../src/process/process-request.ts';
import { DOCKER_SANDBOX, type DockerCli, type DockerSandboxOptions, SBX } from '../../../src/sandbox/docker/docker-grammar.ts';
import { openRepo, type Repo } from '../repo.ts';
import { runCollected } from '../run-collected.ts';
import { openStandIn, type StandIn } from './open-stand-in.ts';

export interface DockerStage extends AsyncDisposable {
  readonly repo: Repo;
  readonly home: string;
  readonly standIn: StandIn;
  readonly options: DockerSandboxOptions;
  readonly warnings: readonly string[];
  readonly refusals: readonly SandboxRefusal[];
  /** The words of all calls that were not refused, without the program. */
  said(command: string): readonly (readonly string[])[];
}

/** How long what is written inside takes to the host here; the pause after a call is ten times as long. */
const SYNC_MS = 60;

/** A project on a computer whose Docker is the stand-in. */
export async function openDockerStage(flavour: DockerCli['flavour']): Promise<DockerStage> {
  const repo = await openRepo({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
  const folder = join(repo.path, '..');
  const home = join(folder, 'home');
  await mkdir(home);
  const hookEntry = join(folder, 'package/hook.cjs');
  await mkdir(join(folder, 'package'));
  await writeFile(hookEntry, "process.stdout.write('the hook answers')\n");
  const standIn = await openStandIn(folder, flavour);
  await standIn.set({ syncMs: SYNC_MS });
  const warnings: string[] = [];
  const refusals: SandboxRefusal[] = [];
  const cli = flavour === 'sbx' ? SBX : DOCKER_SANDBOX;
  return {
    repo,
    home,
    standIn,
    warnings,
    refusals,
    options: {
      cli,
      project: repo.path,
      shares: 'project',
      extraPaths: [],
      readOnlyPaths: [],
      agentKind: 'claude',
      template: 'claude',
      logins: definitions.map(({ login }) => login),
      hosts: ['api.anthropic.com'],
      home,
      hookEntry,
      env: standIn.env,
      alone: true,
      warn: (text) => warnings.push(text),
      onRefused: (refusal) => refusals.push(refusal),
      settleMs: 10 * SYNC_MS,
    },
    said: (command) =>
      standIn
        .calls()
        .filter(({ refused }) => refused === null)
        .map(({ argv }) => argv.slice(cli.prefix.length))
        .filter((words) => words.slice(0, command.split(' ').length).join(' ') === command),
    [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose](),
  };
}

export interface RanInside {
  readonly ending: ProcessEnding;
  readonly text: string;
}

/** Runs one command in the sandbox, as agents and gates are run: in, to its end, out. */
export async function runBehind(
  wall: SandboxPort,
  stage: DockerStage,
  script: string,
  rest: Partial<SandboxCall> & { readonly stdin?: string } = {},
): Promise<RanInside> {
  const { stdin = '', ...call } = rest;
  const { leave, ...enclosed } = await wall.enclose({ who: 'agent', file: '/bin/sh', args: ['-c', script], cwd: stage.repo.path, env: {}, ...call });
  try {
    const { ending, lines } = await runCollected(stage.repo.beside, { ...enclosed, stdin });
    return { ending, text: lines.join('\n') };
  } finally {
    await leave();
  }
}
