import type { Loop } from './loop.ts';

const PROMISE = 'The task is done, and the gate is green.\n<promise>COMPLETE</promise>';
const PRD = `{"name":"task","branchName":"main","userStories":[{"id":"US-001","title":{prompt:json},"description":{prompt:json},"acceptanceCriteria":["{gate} passes"],"priority":1,"passes":false,"dependsOn":[]}]}\n`;

/** Ralph itself: {bin} is this program. */
export const OURS: Loop = {
  name: 'ralph',
  command: '{bin} loop {prompt} --check {gate} --agent {agent} --max-iterations 2 --quiet --json',
  heldExitCode: 3,
  say: 'The task is done.\nCOMPLETE',
};

/** For `ralph torture --loop`. */
export const ANY: Omit<Loop, 'command'> = { name: 'other', say: `${PROMISE}\n<response>DONE</response>\nCOMPLETE` };

/** Other loops, as they are called today; --loop-bin names their program. They find the scripted agent as `claude` on PATH. */
export const PRESETS: readonly Loop[] = [
  OURS,
  {
    name: 'ralph-tui',
    command: '{bin} run --prd prd.json --agent claude --headless --no-setup --iterations 2',
    files: { 'prd.json': PRD },
    done: /1\/1 (?:tasks )?completed|all tasks (?:are )?complete/i,
    say: PROMISE,
  },
  {
    name: 'ralph-starter',
    command: '{bin} run {prompt} --agent claude-code --max-iterations 2 --commit --validate --no-auto-skills --output-dir .',
    notDone: /(?:loop|task) failed|max(?:imum)? iterations reached|validation failed(?![\s\S]*(?:validation passed|completed))|circuit breaker/i,
    say: PROMISE,
  },
  {
    name: 'ralphy',
    command: '{bin} --claude --prd PRD.md --max-iterations 2 --max-retries 1',
    files: { 'PRD.md': '# Work\n\n- [ ] {prompt} The command `{gate}` has to pass.\n' },
    done: /Completed:\s*[1-9]|All tasks completed|PRD complete/i,
    notDone: /Failed:\s*[1-9]/,
    say: PROMISE,
  },
  {
    name: 'sandcastle',
    // It is a library: {bin} is the folder whose node_modules contains it.
    command: 'node .sandcastle-run.mjs {bin} {prompt}',
    files: {
      '.sandcastle-run.mjs': `import { pathToFileURL } from 'node:url';
const [folder, prompt] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(folder + '/node_modules/@ai-hero/sandcastle/dist/' + file).href);
const { run, claudeCode } = await load('index.js');
const { noSandbox } = await load('sandboxes/no-sandbox.js');
const { completionSignal } = await run({ agent: claudeCode('claude-sonnet-4-5'), sandbox: noSandbox(), prompt, maxIterations: 2 });
console.log(completionSignal ? 'COMPLETED' : 'NOT COMPLETED');
process.exit(completionSignal ? 0 : 1);
`,
    },
    say: PROMISE,
  },
  {
    name: 'open-ralph-wiggum',
    command: '{bin} {prompt} --agent claude-code --max-iterations 2 --no-questions',
    done: /task completed|completion promise detected/i,
    say: PROMISE,
  },
  {
    name: 'frankbria',
    command: '{bin} --calls 10 --timeout 1',
    files: {
      '.ralph/PROMPT.md': '{prompt}\nThe command `{gate}` has to pass.\n',
      '.ralph/fix_plan.md': '- [ ] {prompt}\n',
      '.ralph/AGENT.md': 'Run `{gate}`.\n',
      '.ralphrc': 'PROJECT_NAME=task\nALLOWED_TOOLS="Write,Read,Edit,Bash(*)"\n',
    },
    done: /Ralph has completed the project|project[_ ]complete/i,
    say: `${PROMISE}\n---RALPH_STATUS---\nSTATUS: COMPLETE\nTASKS_COMPLETED_THIS_LOOP: 1\nFILES_MODIFIED: 1\nTESTS_STATUS: PASSING\nWORK_TYPE: IMPLEMENTATION\nEXIT_SIGNAL: true\nRECOMMENDATION: done\n---END_RALPH_STATUS---`,
    agentTakesMs: 5_000,
  },
  {
    name: 'snarktank',
    // It reads prd.json beside itself.
    command: './ralph.sh --tool claude 2',
    files: { 'prd.json': PRD, 'CLAUDE.md': 'Do what prd.json says. When all is done, say <promise>COMPLETE</promise>.\n' },
    before: 'cp {bin} ralph.sh && chmod +x ralph.sh',
    done: /completed all tasks/i,
    say: PROMISE,
  },
  {
    name: 'gnhf',
    command: '{bin} --agent claude --max-iterations 2 {prompt}',
    notDone: /aborted|0 commits|no commits/i,
    say: PROMISE,
  },
];
