import { registerName } from '../graph/register-name.ts';
import type { Hold } from '../graph/select-task.ts';
import type { Plan } from '../../journal/words/plan.ts';
import type { CrewPorts } from '../../engine/ports/ports.ts';
import { holdOf } from './hold-of.ts';
import { type DoneSight, withWhatIsUndone } from './undone.ts';

type HoldSight = Pick<CrewPorts, 'registers' | 'livenessOf'> & DoneSight;

/** What the registers say of the tasks that the plan's file does not call complete. Tasks that nobody ever had are left out. */
export async function readHolds(crew: HoldSight, planPath: string, plan: Plan): Promise<ReadonlyMap<string, Hold>> {
  const open = plan.tasks.filter(({ status }) => status !== 'complete');
  const names = new Map(open.map(({ id }) => [registerName(planPath, id), id]));
  const livenessOf = askedOnce(crew.livenessOf);
  const holds = new Map<string, Hold>();
  for (const [name, register] of await crew.registers.getMany([...names.keys()])) {
    const id = names.get(name);
    if (id !== undefined) holds.set(id, holdOf(register, livenessOf));
  }
  return await withWhatIsUndone(crew, holds);
}

/** A crew of one process may hold hundreds of tasks: whether it lives is one question. */
function askedOnce(livenessOf: CrewPorts['livenessOf']): CrewPorts['livenessOf'] {
  const answers = new Map<string, ReturnType<CrewPorts['livenessOf']>>();
  return (process) => {
    const { host, boot_id, pid, start_time } = process;
    const who = `${pid} ${start_time} ${boot_id} ${host}`;
    const answer = answers.get(who) ?? livenessOf(process);
    answers.set(who, answer);
    return answer;
  };
}
