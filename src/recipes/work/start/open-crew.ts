import { join } from 'node:path';
import { openPlanStore } from '../../../plans/open-plan-store.ts';
import { openFileRegisters } from '../../../store/registers-files.ts';
import type { CrewPorts } from '../../../engine/ports/ports.ts';
import type { Watcher } from '../../../engine/watcher.ts';
import { watchHeldTasks } from './held-tasks.ts';
import type { Scope } from '../../../kit/async/scope.ts';
import { livenessOf } from '../../../process/identity.ts';
import type { ProcessWatch } from '../../../process/process-watch.ts';
import type { WorkSpec } from '../../../settings/schema/work-spec.ts';
import { agentEnvironment } from '../../../sandbox/environment/agent-environment.ts';
import { whereIsAt } from '../../../plans/find/where-is.ts';
import { firstOnPath, writeRalphShim } from '../../../door/ralph-shim.ts';
import type { RunAtHand } from '../../../runs/run-at-hand.ts';
import { warner } from '../../../runs/run-options.ts';
import { openTaskAudit } from '../../../plans/tasks/audit.ts';
import { thisWriter } from '../../../runs/this-writer.ts';
import { behindGates } from '../../../runs/sandbox/behind-gates.ts';
import type { Walls } from '../../../runs/sandbox/open-walls.ts';
import { askedForWork } from './ask-for-work.ts';
import { withGit } from '../../../workspace/check-base.ts';
import { gatesAtStart } from './gates-at-start.ts';
import { openBranches } from '../../../workspace/tasks/open-branches.ts';

interface AtWork {
  readonly runId: string;
  readonly markerPrefix: string;
  readonly guardian: ProcessWatch;
  readonly door: string;
  readonly scope: Scope;
  readonly walls: Walls;
}

interface Surroundings {
  readonly crew: CrewPorts;
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly watcher: Watcher;
}

/** All that is around a crew while its run is at work. */
export async function openCrew(hand: RunAtHand, spec: WorkSpec, at: AtWork): Promise<Surroundings> {
  const { workspace, runFolder, options, settings } = hand;
  const git = withGit(workspace);
  const shared = join(git.commonDir, 'ralph');
  const planIn = (top: string) => openPlanStore({ ...spec.plan, top, cacheFolder: join(shared, 'cache') });
  const plan = planIn(spec.home);
  const ours = { RALPH_RUN_ID: at.runId, RALPH_SOCKET: at.door, PATH: firstOnPath(await writeRalphShim(runFolder), workspace.env['PATH']) };
  const agentEnv = { ...agentEnvironment(workspace.env, { agentKind: settings.agent.kind, pass: settings.wall.env.pass }), ...ours };
  const branches = await openBranches(hand, spec, {
    runId: at.runId,
    markerPrefix: at.markerPrefix,
    warn: warner(options),
    pins: at.walls.pins,
    behind: behindGates(hand, at.walls),
  });
  at.scope.defer(() => branches[Symbol.asyncDispose]());
  const registers = openFileRegisters(join(shared, 'registers'));
  const audit = openTaskAudit(spec.home, '');
  const crew: CrewPorts = {
    plan,
    planIn,
    registers,
    branches,
    process: thisWriter(),
    livenessOf: ({ host, boot_id, pid, start_time }) => livenessOf({ host, bootId: boot_id, pid, startTime: start_time }),
    whereIs: whereIsAt(spec.home, workspace.env, spec.base),
    asAtStart: await gatesAtStart(plan),
    // A command of the operator's own, which may need their logins.
    askForWork:
      spec.promptCommand === null
        ? null
        : askedForWork(spec.promptCommand, { cwd: workspace.cwd, env: { ...workspace.env, ...ours }, markerPrefix: at.markerPrefix }),
    audit,
  };
  return { crew, agentEnv, watcher: watchHeldTasks({ crew, planPath: spec.plan.path }) };
}
