import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGitPlace } from '../support/place.ts';

/** An agent that leaves something in the inbox of its own run, and claims to be done once it was removed. */
const leaving = (command: string) => `
cd .git/ralph/runs/$RALPH_RUN_ID/inbox
${command}
while [ -e x.json ] || [ -L x.json ]; do sleep 0.05; done
echo DONE
`;

describe.concurrent('in the inbox', () => {
  it.each([
    ['a folder', 'mkdir -p x.json/y'],
    ['a pipe', 'mkfifo x.json'],
    ['a link', 'ln -s ../journal.jsonl x.json'],
    ['nonsense', 'echo nonsense >new; mv new x.json'],
  ])('%s is removed, and the run continues to its end', async (_name, command) => {
    await using place = await openGitPlace();
    const agent = await place.write('agent.sh', leaving(command));
    const run = await place.ralph(['run', '-p', 'a', '--agent', `sh ${agent}`, '--guardrail', 'true', '--json']);
    expect(run).toMatchObject({ code: 0, result: { stop_reason: 'completed', attempts: 1 } });
  });

  it.each(['constructor', '__proto__', 'ann'])('a message by %s is obeyed, and the journal can still be read', async (by) => {
    await using place = await openGitPlace();
    const message = JSON.stringify({ ask: 'drain', by });
    const agent = await place.write('agent.sh', leaving(`echo '${message}' >new; mv new x.json`).replace('DONE', 'more to do'));
    const run = await place.ralph(['run', '-p', 'a', '--agent', `sh ${agent}`, '--guardrail', 'true', '--json']);
    const status = await place.ralph(['status', '--json']);

    expect(run).toMatchObject({ code: 130, result: { stop_reason: 'interrupted', message: `Stopped by ${by}`, exit_code: 130 } });
    expect(readFileSync(join(`${run.result?.run_folder}`, 'journal.jsonl'), 'utf8')).toContain(`"what":"drain","by":"${by}"`);
    expect(status).toMatchObject({ code: 0, result: { status: 'stopped', exit_code: 130 } });
  });
});
