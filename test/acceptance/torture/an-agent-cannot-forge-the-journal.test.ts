import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { openStage, WORK } from '../../support/stage.ts';

const JOURNAL = '.git/ralph/runs/$RALPH_RUN_ID/journal.jsonl';
const STOPPED = '{"v":1,"seq":7,"at":1,"type":"run.stopped"}';

describe.concurrent('an agent that', () => {
  it.each([
    ['adds a line to the journal', `echo '${STOPPED}' >> ${JOURNAL}`, 'somebody else wrote that line'],
    ['adds half a line to the journal', `printf half >> ${JOURNAL}`, 'that line was changed'],
    ['changes a line of the journal', `sed s/claude/clauDe/ ${JOURNAL} > ../beside/forged; cat ../beside/forged > ${JOURNAL}`, 'that line was changed'],
    ['replaces the journal with a changed one', `sed -i s/claude/clauDe/ ${JOURNAL}`, 'another file was put in its place'],
    ['empties the journal', `: > ${JOURNAL}`, 'that line was changed'],
  ])('%s ends its run, even with a claim, and its work is kept', async (_name, command, why) => {
    await using stage = await openStage([turn(bash(WORK), bash(command), ...ends(CLAIM))]);
    const run = await stage.run();

    expect(run, run.stderr).toMatchObject({ code: 4, result: { stop_reason: 'fatal', exit_code: 4, done: false } });
    expect(run.stderr).toMatch(/^error: The journal \/.*journal\.jsonl is not what ralph wrote.*\nhint: .*start a new run/m);
    expect(run.stderr).toContain(why);
    expect(readFileSync(join(stage.repo.path, 'work.txt'), 'utf8')).toBe('done\n');
    expect(stage.after()).toMatchObject({ calls: 1, commits: 1, processes: [] });
  });

  it('changes the journal of a finished run is detected at a resume, with the number of the line', async () => {
    await using stage = await openStage([turn(...ends('Not yet.')), turn(bash(WORK), ...ends(CLAIM))]);
    const run = await stage.run('-m', '1');
    const journal = join(`${run.result?.run_folder}`, 'journal.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, lines.with(2, (lines[2] ?? '').replace(':1', ':2')).join('\n'));
    const resumed = await stage.ralph('runs', 'resume', '--json');

    expect(resumed, resumed.stderr).toMatchObject({ code: 4, result: { stop_reason: 'fatal', message: expect.stringContaining('from line 3 on') } });
    expect(stage.after()).toMatchObject({ calls: 1, commits: 1 });
  });
});
