// One of the processes that race for tasks: claimer.mjs REGISTERS NAME TASKS. Starts on a signal, reports what it got, and holds it until it is killed.

import { identityOf, livenessOf } from '../../.cache/inside/src/process/identity.js';
import { takeTask } from '../../.cache/inside/src/recipes/work/effects/take-task.js';
import { openFileRegisters } from '../../.cache/inside/src/store/registers-files.js';
import { portsOf, taskPlan } from './work-ports.mjs';

const [folder, name, count] = process.argv.slice(2);
const { host, bootId: boot_id, pid, startTime: start_time } = identityOf(process.pid);
const ports = portsOf(name, {
  plan: taskPlan(Number(count)),
  registers: openFileRegisters(folder),
  process: { host, boot_id, pid, start_time },
  livenessOf: (holder) => livenessOf({ host: holder.host, bootId: holder.boot_id, pid: holder.pid, startTime: holder.start_time }),
});

process.on('message', async () => {
  const taken = [];
  for (let asked = 1; ; asked += 1) {
    const fact = await takeTask.perform({ kind: 'take-task', key: `take:${asked}`, iteration: 0, attempt: 0, lane: 1 }, ports);
    if (fact.type !== 'task.taken') break;
    taken.push(fact.task.id);
  }
  process.send(taken);
});
process.send('ready');
