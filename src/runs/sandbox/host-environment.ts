import type { RunAtHand } from '../run-at-hand.ts';
import { warner } from '../run-options.ts';

/** What the words of an SCM find in their environment. They run outside of the wall, with the operator's keys: no hook that an agent may have written runs with them. */
export async function hostEnvironment({ workspace, settings, options }: RunAtHand): Promise<Readonly<Record<string, string>>> {
  const { scm, wall } = settings;
  if (scm === null || workspace.git === null || wall.mode === 'guard' || wall.gates === 'host') return workspace.env;
  const { env, silenced } = await workspace.git.outside(workspace.env);
  if (silenced !== null && scm.tasks.some((task) => task !== 'commit')) {
    warner(options)(
      `hooks in ${silenced} do not run with ${scm.tasks.filter((task) => task !== 'commit').join(', ')}: an agent could have written them, and that runs outside of the sandbox`,
    );
  }
  return env;
}
