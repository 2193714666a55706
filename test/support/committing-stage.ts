import { appendFileSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bash, CLAIM, ends, type Turn, turn } from './claude-script.ts';
import type { Repo } from './repo.ts';
import { type EndedRun, journalOf, openStage, type Props, type Stage, WORK } from './stage.ts';

/** A stage whose loop runs SCM tasks, in a repository with an author. */
export interface CommittingStage extends Stage {
  /** A hook of the user's; the path of a shell script. */
  hook(name: string, script: string): Promise<void>;
  /** The trees that guardrails with `LOOK` have seen. */
  seen(): readonly string[];
  /** Of the present branch, the first one first. */
  subjects(): readonly string[];
  /** The files that the last commit changed. */
  inLastCommit(): readonly string[];
}

interface CommittingProps extends Props {
  readonly tasks?: readonly string[];
  readonly timeout?: string;
}

/** For a guardrail: records the tree it sees, with a separate index. */
export const LOOK = '(export GIT_INDEX_FILE="$PWD/../beside/own-index"; rm -f "$GIT_INDEX_FILE"; git add -A && git write-tree >> ../beside/seen)';

export const MESSAGE = 'Do the work';

/** The three calls most rows are made of. */
export const works: Turn = turn(bash(WORK), ...ends(CLAIM));
export const goesOn: Turn = turn(bash(`${WORK}; date +%N >> more.txt`), ...ends('Not there yet.'));
export const names = (message: string): Turn => turn(...ends(message));

export async function openCommittingStage(script: readonly Turn[], props: CommittingProps = {}): Promise<CommittingStage> {
  const { tasks = ['commit'], timeout = '30s', settings = {}, ...rest } = props;
  const stage = await openStage(script, { settings: { scm: { command: 'git', tasks, timeout }, ...settings }, ...rest });
  const { repo } = stage;
  nameAuthor(repo);
  return {
    ...stage,
    async hook(name, body) {
      const hooks = join(repo.path, '.git', 'hooks');
      await mkdir(hooks, { recursive: true });
      await writeFile(join(hooks, name), `#!/bin/sh\n${body}\n`);
      await chmod(join(hooks, name), 0o755);
    },
    seen: () => readFileSync(join(repo.beside, 'seen'), 'utf8').trim().split('\n'),
    subjects: () => repo.git('log', '--reverse', '--format=%s').split('\n'),
    inLastCommit: () => repo.git('diff-tree', '--root', '--no-commit-id', '--name-only', '-r', 'HEAD').split('\n'),
  };
}

export function nameAuthor(repo: Repo, folder?: string): void {
  if (folder === undefined) appendFileSync(join(repo.path, '.git/config'), '[user]\n\tname = The User\n\temail = user@example.com\n');
  else for (const [key, value] of Object.entries({ name: 'The User', email: 'user@example.com' })) repo.git('-C', folder, 'config', `user.${key}`, value);
}

/** A bare repository beside, which `main` follows. */
export function giveRemote({ repo }: Stage): void {
  repo.git('init', '-q', '--bare', '-b', 'main', '../beside/origin.git');
  repo.git('remote', 'add', 'origin', '../beside/origin.git');
  repo.git('push', '-q', '-u', 'origin', 'main');
}

/** Which calls asked for a commit message. */
export const messageCalls = (stage: Stage) => stage.calls().filter(({ args }) => args.join(' ').includes('--output-format text'));

/** Why commits were refused, in order. */
export const refusalsOf = (run: EndedRun) =>
  journalOf(run)
    .filter(({ type }) => type === 'commit.refused')
    .map(({ reason, detail }) => ({ reason, detail }));
