#!/usr/bin/env node
// An agent on stories that plays parts. The folder RALPH_STORY_STAGE has them in `parts.mjs`: the nth call plays the nth, later calls work as they are
// told; one that is a list is played in its order. What a call has found is noted in `calls/<n>.json` before it does anything. Called as claude it speaks its stream, and asks the stop hook it
// was given before it ends; it is obstinate and changes nothing then, but notes what the hook said.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const stage = process.env.RALPH_STORY_STAGE;
const PLAN = 'ralph/tasks.json';
const args = process.argv.slice(2);
const isClaude = args.includes('--output-format');
const read = (path) => (existsSync(path) && lstatSync(path).isFile() ? readFileSync(path, 'utf8') : null);
const git = (...words) => execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

const prompt = readFileSync(0, 'utf8');
const [, mode, id] = /mode `([a-z-]+)`, story `+ ?(.+?) ?`+:/.exec(prompt.slice(prompt.lastIndexOf('## This iteration'))) ?? [];
const isSkipping = prompt.includes('(skip review: true)');
const plan = JSON.parse(read(PLAN).replace(/^\ufeff/, ''));
const story = plan.userStories.find((each) => each.id === id);
let said = 'I was here.\n';
let verdict = null;

const me = {
  ...{ mode, prompt, plan, story, stage },
  nth: readdirSync(join(stage, 'calls')).length + 1,
  of: (other) => plan.userStories.find((each) => each.id === other),
  read,
  write(path, text) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  },
  sh: (command) => execFileSync('sh', ['-c', command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  /** What the turn is for, in the list and in the files; nothing is written into the list yet. */
  good() {
    if (mode === 'implement') me.implement();
    else if (mode === 'review') me.approve();
    else me.fix();
  },
  implement() {
    me.write(fileOf(), 'implemented\n');
    story.notes = 'Wrote it.';
    if (isSkipping) story.passes = true;
    else story.reviewStatus = 'needs_review';
  },
  /** The verdict of a reviewer, which is the last thing it says. */
  approve: (feedback = '') => me.decide({ decision: 'approved', feedback, notes: '' }),
  reject: (feedback) => me.decide({ decision: 'changes_requested', feedback, notes: '' }),
  decide(said) {
    verdict = said;
  },
  /** What somebody writes into the list to have it look approved. */
  forge: (fields = {}) => Object.assign(story, { passes: true, reviewStatus: 'approved', reviewCount: story.reviewCount + 1, ...fields }),
  fix() {
    appendFileSync(fileOf(), 'mended\n');
    Object.assign(story, { reviewStatus: 'needs_review', reviewFeedback: '' });
  },
  save: () => writeFileSync(PLAN, `${JSON.stringify(plan, null, 2)}\n`),
  commit(message = MESSAGES[mode](), ...flags) {
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', message, ...flags);
  },
  /** The rest of a turn that was good so far. A reviewer has nothing to write. */
  end(message) {
    if (mode === 'review') return;
    me.save();
    me.commit(message);
  },
  say(text) {
    said += `${text}\n`;
  },
  /** Ends without a word. */
  silently() {
    said = '';
  },
  /** At work until somebody ends it. */
  hang() {
    writeFileSync(join(stage, 'hangs'), '');
    return new Promise(() => setInterval(() => {}, 1_000_000));
  },
};

const MESSAGES = {
  implement: () => `feat: [${id}] - ${story.title}`,
  review: () => `review: [${id}] - approved`,
  'review-fix': () => `fix: [${id}] - address review feedback`,
};

const fileOf = () => `work-${plan.userStories.indexOf(story) + 1}.txt`;

function works() {
  me.good();
  me.end();
  me.say('Done.');
}

function note(more) {
  const found = { nth: me.nth, mode, story: id, prompt, args, ...FOUND, ...more };
  writeFileSync(join(stage, 'calls', `${String(me.nth).padStart(3, '0')}.json`), JSON.stringify(found));
}

const FOUND = {
  form: read(PLAN),
  prd: read('ralph/prd.md'),
  template: read('ralph/prompt.md'),
  marker: read('.ralph-active'),
  head: git('rev-parse', 'HEAD'),
  log: git('log', '--format=%s'),
  dirty: git('status', '--porcelain'),
};

function askStopHook() {
  const at = args.indexOf('--settings');
  const command = at < 0 ? undefined : JSON.parse(args[at + 1]).hooks.Stop[0].hooks[0].command;
  const stops = [];
  while (command !== undefined && stops.length < 9) {
    const input = JSON.stringify({ session_id: `s-${me.nth}`, cwd: process.cwd(), hook_event_name: 'Stop', stop_hook_active: stops.length > 0 });
    const answer = spawnSync('sh', ['-c', command], { input, encoding: 'utf8' }).stdout;
    stops.push(answer);
    if (!answer.includes('"block"')) break;
  }
  note({ stops });
}

function speak() {
  if (!isClaude) return said;
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: said }], stop_reason: null, usage: {} };
  const usage = { input_tokens: 12, output_tokens: 5 };
  const lines = [
    { type: 'system', subtype: 'init', session_id: 's', model: 'm', cwd: process.cwd(), tools: [] },
    { type: 'assistant', message, parent_tool_use_id: null, session_id: 's' },
    { type: 'result', subtype: 'success', is_error: false, result: said, num_turns: 1, session_id: 's', total_cost_usd: 0.01, usage },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

note({});
const { parts } = await import(pathToFileURL(join(stage, 'parts.mjs')));
let code;
for (const part of [parts[me.nth - 1] ?? works].flat()) code = await part(me);
if (isClaude) askStopHook();
if (verdict !== null) said += `${JSON.stringify(verdict)}\n`;
process.stdout.write(speak(), () => process.exit(Number(code ?? 0)));
