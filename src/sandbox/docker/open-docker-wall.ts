import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Enclosed, WallCall, WallPort } from '../../engine/ports/wall.ts';
import { openDockerCommands } from './docker-commands.ts';
import { execArgs, stopArgs } from './docker-grammar.ts';
import type { DockerWallOptions } from './docker-wall-options.ts';
import { endInside, INSIDE_MARKER } from './end-inside.ts';
import { writeEnvFile } from './env-file.ts';
import { openFreshness } from './freshness.ts';
import { insideEnvironment } from './inside-environment.ts';
import { findSandbox, makeSandbox } from './make-sandbox.ts';
import { isBelow, mountsOf } from './mounts.ts';
import { openNetworkLog } from './network-log.ts';
import { sandboxName } from './sandbox-name.ts';
import { unavailable } from './sandbox-trouble.ts';
import { templateOf } from './template-of.ts';
import { openTurns } from './turns.ts';
import { workTreeOf } from './work-tree-of.ts';

/** Seed 003: what was written inside is on the host after two to three seconds. */
const SETTLED_AFTER_MS = 2_500;

/**
 * Commands in the microVM that Docker keeps for this project. Made once, kept after the run. Tested against a stand-in for both of Docker's command lines, never
 * against a real engine.
 */
export async function openDockerWall(options: DockerWallOptions): Promise<WallPort & AsyncDisposable> {
  const { cli, env, project, warn } = options;
  const template = templateOf(cli, options.agentKind);
  const name = sandboxName(cli, project, template);
  const mounts = await mountsOf(project, options.extraPaths);
  const has = (path: string) => mounts.some((mount) => isBelow(path, mount));
  const scratch = await mkdtemp(join(tmpdir(), 'ralph-docker-'));
  const commands = openDockerCommands(cli, env, project);
  let inside = 0;
  const freshness = openFreshness({
    carrier: { commands, name, env, scratch },
    warn,
    isBusy: () => inside > 0 || !options.alone,
    isMounted: has,
    isReadOnly: (path) => options.readOnlyPaths.some((sealed) => isBelow(path, sealed)),
  });
  const inTurn = openTurns();
  const make = () => makeSandbox({ commands, name, template, scratch, options, mounts, willStart: () => freshness.willStart([project]) });

  try {
    const found = await findSandbox(commands, name, mounts);
    // One that runs has an old picture of the host's files, and nothing would ever tell it of a newer one.
    if (found !== null && found.status !== 'stopped' && options.alone) await commands.must('stopping it', stopArgs(cli, name));
    await make();
  } catch (error) {
    await rm(scratch, { recursive: true, force: true });
    throw error;
  }
  const log = await openNetworkLog(commands, name);

  const leave = async (call: WallCall, mark: string, envFile: string) => {
    try {
      await endInside(commands, name, mark);
      await sleep(options.settleMs ?? SETTLED_AFTER_MS);
      await inTurn(async () => freshness.note(await workTreeOf(call.cwd, env)));
      for (const target of await log.refusedSince()) options.onRefused({ what: 'network', target });
    } finally {
      inside -= 1;
      await rm(envFile, { force: true });
    }
  };

  const enclose = async (call: WallCall): Promise<Enclosed> => {
    // What an agent writes has to come back; what a gate writes in a checkout that is thrown away has not.
    if (call.who === 'agent' && !has(call.cwd)) throw unavailable(`The Docker sandbox does not have the folder ${call.cwd}.`, `It has ${mounts.join(', ')}.`);
    if ((await findSandbox(commands, name, mounts)) === null) {
      warn(`the Docker sandbox ${name} is gone: it is made again`);
      await make();
    }
    await freshness.bring(await workTreeOf(call.cwd, env));
    const mark = randomUUID();
    const envFile = await writeEnvFile(scratch, { ...insideEnvironment(call.env), [INSIDE_MARKER]: mark }, warn);
    const command = [isAbsolute(call.file) && has(call.file) ? call.file : basename(call.file), ...call.args];
    inside += 1;
    let left: Promise<void> | undefined;
    return {
      file: cli.file,
      args: execArgs(cli, { name, cwd: call.cwd, envFile, command }),
      cwd: call.cwd,
      env,
      askDepth: 0,
      leave: () => (left ??= leave(call, mark, envFile)),
    };
  };

  return {
    mode: 'docker',
    enclose: (call) => inTurn(() => enclose(call)),
    [Symbol.asyncDispose]: () => rm(scratch, { recursive: true, force: true }),
  };
}
