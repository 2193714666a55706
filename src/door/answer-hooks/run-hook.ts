import { writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { readHookInput } from '../hooks/hook-input.ts';
import { HOOK_NAMES, type HookName, isHookName } from '../hooks/hook-name.ts';
import { identityOf } from '../../process/identity.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { guardSetup } from '../guard/guard-setup.ts';
import { projectLists } from '../../sandbox/guard-lists.ts';
import { projectRoot } from '../guard/project-root.ts';
import { answerHook } from './answer-hook.ts';
import { askLoop } from './ask-loop.ts';
import { type FoundMarker, findMarker } from './find-marker.ts';
import type { HookWorld } from './hook-world.ts';
import { markedStories } from './marked-stories.ts';
import { readStdin } from './read-stdin.ts';
import { openSessionFiles } from './session-files.ts';

type Env = Readonly<Record<string, string>>;

/** What claude takes for a no; it tells the agent what stands on stderr. */
const DENIED = 2;

/** Answers one hook of an agent on stdout: a loop that lives is asked, else what it left on disk decides. `folder` is where this program lies. */
export async function runHook(name: string | undefined, folder: string): Promise<number> {
  if (!isHookName(name)) {
    complain(`there is no hook ${JSON.stringify(name ?? '')}: it is one of ${HOOK_NAMES.join(', ')}`);
    return 2;
  }
  try {
    const env = environment();
    const input = await readStdin();
    const found = findMarker([readHookInput(input).cwd, env['CLAUDE_PROJECT_DIR'], process.cwd()]);
    const answer = await answerTo(name, input, { found, env, folder });
    if (answer !== null) writeSync(1, `${JSON.stringify(answer)}\n`);
    return 0;
  } catch (error) {
    complain(`${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    return name === 'guard' ? DENIED : 0;
  }
}

interface Surroundings {
  readonly found: FoundMarker | null;
  readonly env: Env;
  readonly folder: string;
}

async function answerTo(name: HookName, input: unknown, around: Surroundings): Promise<unknown> {
  for (const socket of socketsOf(around)) {
    const answer = await askLoop(socket, name, input);
    if (answer !== undefined) return answer;
  }
  return await answerHook(name, input, worldWithoutLoop(around));
}

/** Where a loop may answer: our own, and the one that wrote the marker if it is still there. */
function socketsOf({ found, env }: Surroundings): ReadonlySet<string> {
  const { pid = null, socket = null } = found?.marker ?? {};
  const isThere = pid !== null && identityOf(pid) !== null;
  return new Set([env['RALPH_SOCKET'], isThere ? socket : null].filter((path) => typeof path === 'string' && path !== '') as string[]);
}

function worldWithoutLoop({ found, env, folder }: Surroundings): HookWorld {
  const ours = [env['CLAUDE_PLUGIN_ROOT'] || folder];
  return {
    stories: async () => (found === null ? null : markedStories(found, { env, ours })),
    guard({ cwd }) {
      const root = found?.root ?? projectRoot(env['CLAUDE_PROJECT_DIR'] || cwd || process.cwd());
      return guardSetup({ lists: projectLists(root), mode: 'guard', root, cwd, env });
    },
    sessions: openSessionFiles(tmpdir()),
    env,
    model: () => null,
    warn: complain,
  };
}

/** Claude keeps it in its log, and shows it to nobody. */
function complain(text: string): void {
  writeSync(2, `ralph hook: ${text}\n`);
}
