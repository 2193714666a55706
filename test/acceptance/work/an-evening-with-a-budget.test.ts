import { expect, it } from 'vitest';
import { openWorkStage, type Planned } from '../../support/work-stage.ts';

/** An agent that speaks claude's stream, with what it cost. */
const AGENT = `
say() { printf '{"type":"assistant","message":{"id":"m","model":"claude-opus-4-8","content":[{"type":"text","text":"%s"}],"usage":{}},"session_id":"s"}\\n' "$1"; }
ends() { printf '{"type":"result","subtype":"success","is_error":%s,"result":"%s","num_turns":1,"session_id":"s","total_cost_usd":%s,"usage":{"input_tokens":9,"output_tokens":9}}\\n' "$2" "$1" "$3"; }
echo '{"type":"system","subtype":"init","session_id":"s","model":"claude-opus-4-8","tools":[]}'
case "$id$nth" in
  limit1) printf '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":%s,"rateLimitType":"five_hour"},"session_id":"s"}\\n' $(($(date +%s) + 2))
    ends "You've hit your session limit" true 0; exit 1 ;;
  crash1) kill -9 $$ ;;
  asks*) say 'Two accounts would fit.'; ends '<promise>BLOCKED: Which account shall I use?</promise>' false 0.10; exit ;;
esac
case "$id" in impossible) echo "try $nth" >impossible.try; save ;; *) work ;; esac
claim
say 'I am done.'
ends 'It works as asked.' false 0.25
`;

const IDS = ['plain1', 'plain2', 'plain3', 'plain4', 'plain5', 'plain6', 'limit', 'crash', 'asks', 'impossible'];
const FLAGS = ['--agent-kind', 'claude', '--no-preflight', '--workers', '4', '--max-cost', '20', '--unproven-tries', '1'];

it('an evening with four workers and a budget ends with a report to act on, and with the notifications that mattered', async () => {
  const planned = IDS.map((id): Planned => [id, `verify: "test -s ${id}.txt"`]);
  // A crash that changes nothing is retried after five times the pause.
  const settings = {
    failurePause: '20ms',
    shutdownGrace: { sigterm: '1s', sigint: '1s' },
    notify: { command: { run: 'cat >> ../beside/told; echo >> ../beside/told' } },
  };
  await using stage = await openWorkStage(planned, AGENT, { settings, quiet: true, env: { IS_SANDBOX: '1' } });
  const run = await stage.work(...FLAGS);

  expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'waiting', work: { tasks: { done: 8, parked: 1 } } } });
  const { totals, next, questions, not_proven } = JSON.parse((await stage.ralph('report', '--json')).stdout);
  expect(totals).toMatchObject({ proven: 8, not_proven: 2, iterations: 11 });
  expect(questions).toMatchObject([{ task: 'asks', text: 'Which account shall I use?' }]);
  expect(not_proven).toContainEqual(expect.objectContaining({ task: 'asks', state: 'asks', why: 'Which account shall I use?', waits_for_a_person: true }));
  const commands = next.map(({ command }: { readonly command: string }) => command);
  const id = `${run.result?.run_id}`;
  expect(commands).toEqual(
    expect.arrayContaining([`ralph answer --run ${id} --task asks "…"`, `ralph answer --run ${id} --task impossible "…"`, `ralph verify ${id}`]),
  );
  expect(commands.filter((command: string) => command.includes('--task asks'))).toHaveLength(1);
  const text = (await stage.ralph('report')).stdout;
  expect(text).toMatch(/Cost: \$2\.85 \(estimated\)\n- Cost per proven result: \$0\.36/);
  expect(text).toContain('reported complete, not proven: test -s impossible.txt');
  expect(text).toContain('- Checks: those of each task\n');
  expect(run.stderr).toMatch(/\n {2}tasks {7}8 of 10 completed, 1 failed, 1 parked\n {2}tries {7}8 completed, 0 failed, 2 not proven, 1 try parked\n/);

  const told = stage
    .read('told')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  // On a slow machine the question is told before the end. Either way every event has one line: what only happened on the way has none.
  const lines: readonly string[] = told.flatMap((message) => message.lines).filter((line) => !line.startsWith('ralph runs show'));
  expect(lines.toSorted()).toEqual([
    expect.stringMatching(/^8 of 10 tasks complete; 1 question, 1 failed \(ralph inbox\) \(11 iterations, \$2\.85 \(estimated\), .*\)$/),
    `asks asks: Which account shall I use? (ralph answer --run ${id} --task asks "…")`,
    expect.stringMatching(
      /^impossible: reported complete, not proven: .* \(ralph answer --run \S+ --task impossible "…"\)\. The agent said: "It works as asked\."$/,
    ),
  ]);
  expect(told.map(({ events }) => events.includes('ended'))).toEqual(told.length === 1 ? [true] : [false, true]);
  expect(JSON.stringify(told)).not.toContain('ralph accept');
  expect(new Set(told.flatMap(({ events }) => events))).toEqual(new Set(['needs_you', 'ended', 'failed']));
  expect(told.at(-1)).toMatchObject({ events: expect.arrayContaining(['ended']), title: 'Ralph (work) in repo has stopped (waiting) and needs you' });
  expect((await stage.ralph('inbox')).stdout).toMatch(
    /Which account shall I use\?[\s\S]*reported complete, not proven: test -s impossible\.txt\n {2}The agent said: "It works as asked\."\n {2}ralph answer --run \S+ --task impossible "…"/,
  );

  const tried = stage.prompts('impossible').length;
  const again = await stage.ralph('answer', '--task', 'impossible', 'An empty file will not do.', '--json');
  expect(again, again.stderr).toMatchObject({ code: 3, result: { run_id: id, work: { tasks: { done: 8 } } } });
  expect(stage.prompts('impossible')[tried]).toMatch(/reported complete, not proven[\s\S]*An empty file will not do\./);
  expect(stage.prompts('asks')).toHaveLength(1);
});
