import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GithubIssue } from '../../src/plans/github/gh.ts';

const url = (number: number) => `https://github.com/acme/notes/issues/${number}`;
export const issue = (number: number, over: Partial<GithubIssue> = {}): GithubIssue => ({
  number,
  title: `Issue ${number}`,
  body: '',
  state: 'OPEN',
  labels: [{ name: 'ralph' }],
  url: url(number),
  ...over,
});

/** A stand-in for gh that answers with the recorded issues, and writes down how it was called. `issue close` closes. */
const GH = `#!/bin/sh
printf '%s\\n' "$*" >> "$GH_CALLS"
case "$1 $2" in
  'issue list') [ -z "$GH_FAILS" ] || { echo "$GH_SAYS" >&2; exit "$GH_FAILS"; }; cat "$GH_ISSUES";;
  'issue close') echo "Closed issue #$3" >&2;;
esac
`;

/** Puts the stand-in into a folder, with the environment in which Ralph finds it. */
export async function openGh(beside: string, issues: readonly GithubIssue[]) {
  const bin = join(beside, 'bin');
  const [calls, recorded] = [join(beside, 'calls'), join(beside, 'issues.json')];
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'gh'), GH);
  await chmod(join(bin, 'gh'), 0o755);
  const has = async (now: readonly GithubIssue[]) => await writeFile(recorded, JSON.stringify(now));
  await has(issues);
  return {
    env: { PATH: `${bin}:${process.env['PATH']}`, GH_CALLS: calls, GH_ISSUES: recorded },
    has,
    calls: async () => (await readFile(calls, 'utf8')).trimEnd().split('\n'),
  };
}
