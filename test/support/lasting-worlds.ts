import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SendEvent } from '../../src/engine/contracts.ts';
import type { AgentPort, AgentRequest } from '../../src/engine/ports/agent.ts';
import type { Ports } from '../../src/engine/ports/ports.ts';
import type { StoryWorkspace } from '../../src/engine/ports/story-workspace.ts';
import type { JournalEvent } from '../../src/journal/events/journal-event.ts';
import type { AgentEvent } from '../../src/journal/words/agent-event.ts';
import type { Story, StoryPlan } from '../../src/journal/words/story.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';
import { memoryBus } from './memory-bus.ts';
import { type MemoryChildren, memoryChildren } from './memory-children.ts';
import { type MemoryRepo, memoryRepo } from './memory-repo.ts';
import { memoryStoryWorkspace } from './memory-story-workspace.ts';
import type { LastingWorld } from './mortal.ts';
import { scriptedWorld } from './scripted-world.ts';

export interface CrashedWorld extends LastingWorld, Disposable {
  readonly repo: MemoryRepo;
  /** One for every agent that was let in: `1.1`, … */
  readonly calls: readonly string[];
}

interface Parts {
  readonly settings: RunSettings;
  readonly files?: Readonly<Record<string, string>>;
  /** What an agent does to the files of its place, and what it says. */
  readonly act: (attempt: string, files: Map<string, string>, prompt: string) => string | Promise<string>;
  /** Whether a gate is green; in a fresh checkout it sees what is in that. */
  readonly isGreen: (read: (path: string) => string | undefined) => boolean;
  readonly over?: (repo: MemoryRepo) => Partial<Ports>;
}

/** A repository in memory, and an agent and gates that depend only on the files, so they can be repeated. */
export function crashedWorld({ settings, files = {}, act, isGreen, over }: Parts): CrashedWorld {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-crash-'));
  const repo = memoryRepo({ 'readme.txt': 'hello\n', ...files });
  const calls: string[] = [];
  const { ports } = scriptedWorld({ turns: [], gates: [] }, settings, folder);
  const agent = spoolingAgent(async ({ marker, prompt }) => {
    const attempt = marker.split('/').at(-1) ?? '';
    calls.push(attempt);
    return await act(attempt, repo.files, prompt);
  });
  const command: Ports['command'] = {
    run: async ({ cwd }) => {
      const green = isGreen((path) => (cwd.startsWith('/checkout') ? (repo.readIn(cwd, path) ?? undefined) : repo.files.get(path)));
      return { ending: { kind: 'exited', code: green ? 0 : 1 }, output: green ? '' : 'not yet', outputBytes: green ? 0 : 7, outputSha256: '', durationMs: 1 };
    },
  };
  const events: JournalEvent[] = [];
  return {
    ...{ settings, repo, calls, events },
    ports: (sitting) => ({
      ...ports,
      ...{ agent, command, git: repo.git, history: repo.history, place: { ...ports.place, markerPrefix: `r~${sitting}` } },
      ...over?.(repo),
    }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Its spool is a real file, which says again what was said. */
function spoolingAgent(answer: (request: AgentRequest) => Promise<string>): AgentPort {
  const spoolOf = ({ folder }: AgentRequest) => join(folder, 'agent.jsonl');
  return {
    name: 'spooling',
    outputFormat: () => 'events',
    describe: async () => ['spooling'],
    async run(request, listener) {
      await mkdir(request.folder, { recursive: true });
      await writeFile(join(request.folder, 'prompt.md'), request.prompt);
      listener.onSpawned({ host: 'h', bootId: 'b', pid: 1, startTime: '1' });
      const text = await answer(request);
      const events: AgentEvent[] = [
        { type: 'message', text },
        { type: 'usage', input: 10, cacheRead: 0, cacheWrite: 0, output: 5, costUsd: 0.25 },
        { type: 'turn.finished', ok: true, text, reason: 'completed' },
      ];
      // At once, as a line is appended: a loop that was killed meanwhile must not leave half of it to the next.
      writeFileSync(spoolOf(request), JSON.stringify(events));
      for (const event of events) listener.onEvent(event);
      return { kind: 'exited', code: 0 };
    },
    async replay(request, onEvent) {
      if (!existsSync(spoolOf(request))) return null;
      for (const event of JSON.parse(readFileSync(spoolOf(request), 'utf8')) as AgentEvent[]) onEvent(event);
      return 'replayed';
    },
  };
}

export interface CrashedTask extends CrashedWorld {
  readonly children: MemoryChildren;
  readonly posted: ReturnType<typeof memoryBus>;
  /** The files DONE, DONE.refused-1, … that are there. */
  readonly marks: ReadonlySet<string>;
}

/** A root agent that claims completion too early, and starts a child in its first start. */
export function crashedTask(settings: RunSettings): CrashedTask {
  const marks = new Set<string>();
  const children = memoryChildren();
  const posted = memoryBus('PROJECT-MESSAGE-BUS.md');
  let tell: SendEvent = async () => false;
  const isChildAsked = () => children.asked.length > 0;
  const world = crashedWorld({
    settings,
    isGreen: (read) => read('work.txt') === 'done\n',
    async act(_attempt, files) {
      if (!isChildAsked() && settings.recipe === 'supervise') await tell({ type: 'child.asked', child: CHILD });
      if (marks.has('DONE.refused-1') || settings.recipe === 'job') files.set('work.txt', 'done\n');
      marks.add('DONE');
      return 'I did something.';
    },
    over: () => ({
      supervision: {
        children,
        taskBus: memoryBus(),
        projectBus: posted,
        task: {
          done: async () => ({ kind: marks.has('DONE') ? 'file' : 'absent' }),
          waitMarker: async () => null,
          blockedBy: async () => [],
          async refuseDone(number) {
            if (!marks.delete('DONE')) return null;
            marks.add(`DONE.refused-${number}`);
            return `DONE.refused-${number}`;
          },
        },
      },
    }),
  });
  const watcher: NonNullable<LastingWorld['watcher']> = (heard) => {
    tell = heard;
    return { [Symbol.asyncDispose]: async () => undefined };
  };
  return Object.assign(world, { children, posted, marks, watcher });
}

const CHILD = {
  ...{ run: 'child-1', parent: 'r', task: null, agent: null, model: null, checks: [], cwd: null, idle_ms: null, run_ms: null },
  prompt: 'ends at once',
};

const PLAN = 'ralph/tasks.json';

/** Stories whose agent cheats a little, and whose first review requests changes. */
export function crashedStories(settings: RunSettings, plan: StoryPlan): CrashedWorld {
  let ground: StoryWorkspace | null = null;
  return crashedWorld({
    settings,
    files: { [PLAN]: `${JSON.stringify(plan, null, 2)}\n`, 'ralph/prd.md': '# What is wanted\n' },
    isGreen: (read) => read('broken') === undefined,
    act(_attempt, files, prompt) {
      const [, mode, id] = /mode `([a-z-]+)`, story `+ ?(.+?) ?`+:/.exec(prompt.slice(prompt.lastIndexOf('## This iteration'))) ?? [];
      const now = JSON.parse(files.get(PLAN) ?? '') as StoryPlan;
      const userStories = now.userStories.map((story) => (story.id === id ? { ...story, ...turnOf(mode) } : story));
      files.set(PLAN, `${JSON.stringify({ ...now, userStories }, null, 2)}\n`);
      if (mode === 'review') return verdictOn(now.userStories.find((story) => story.id === id)?.reviewCount ?? 0);
      if (mode === 'implement') files.set('ralph/prd.md', 'easy\n');
      files.set(`${id}.txt`, `${mode}\n`);
      return 'I did something.';
    },
    over: (repo) => {
      ground ??= memoryStoryWorkspace(repo, PLAN, plan.branchName);
      return { stories: { ground, reviewer: null, template: 'Work.\n' } };
    },
  });
}

/** The reviewer forges the list too, which is reverted. */
function turnOf(mode: string | undefined): Partial<Story> {
  if (mode === 'review') return { reviewStatus: 'approved', passes: true, reviewCount: 9 };
  return { reviewStatus: 'needs_review', reviewFeedback: '', notes: 'Did it.' };
}

const verdictOn = (reviewCount: number) =>
  JSON.stringify(reviewCount === 0 ? { decision: 'changes_requested', feedback: 'Not yet.' } : { decision: 'approved', feedback: '' });
