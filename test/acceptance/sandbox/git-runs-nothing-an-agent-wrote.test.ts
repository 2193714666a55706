import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { type HostileStage, openHostileStage } from '../../support/hostile-stage.ts';
import { openWorkStage } from '../../support/work-stage.ts';

/** Programs of the operator's git that take their code from the work tree. No command names the file that the agent changes. */
const PROGRAMS = {
  'filter.script.clean': 'node tools/clean.cjs %f',
  'filter.module.clean': 'perl -I. -MUpper -e 1',
  'filter.long.process': 'node tools/process.cjs',
  'include.path': '../settings/included',
};

/** A process that speaks git's protocol for filters and can do nothing: files stay as they are. */
const LONG = `const say = (...lines) => process.stdout.write(lines.map((line) => (line.length + 4).toString(16).padStart(4, '0') + line).join('') + '0000');
say('git-filter-server\\n', 'version=2\\n');
say();
process.stdin.resume();
`;

const FILES = {
  '.gitattributes': '*.s filter=script\n*.m filter=module\n*.l filter=long\n*.i filter=included\n',
  'tools/clean.cjs': 'require("./lib.cjs");\n',
  'tools/process.cjs': `require('./long-lib.cjs');\n${LONG}`,
  'tools/lib.cjs': 'process.stdin.pipe(process.stdout);\n',
  'tools/long-lib.cjs': '',
};

/** Each leaves a mark and does what the filter did. */
const ATTACKS = ['script', 'module', 'long', 'included'] as const;
const attack = (mark: string) => `cat > tools/lib.cjs <<'END'
try { require('node:fs').writeFileSync('${mark}-script', ''); } catch {}
process.stdin.on('data', (text) => process.stdout.write(String(text).toUpperCase()));
END
cat > tools/long-lib.cjs <<'END'
try { require('node:fs').writeFileSync('${mark}-long', ''); } catch {}
END
cat > Upper.pm <<'END'
open(my $mark, '>', '${mark}-module'); print uc while <STDIN>; 1;
END
mkdir -p settings
printf '[filter "included"]\\n\\tclean = "touch ${mark}-included; cat"\\n' > settings/included
for name in s m l i; do echo made > "z.$name"; done
echo DONE
`;

async function attacked(mode: string): Promise<HostileStage & { readonly marks: readonly string[]; readonly said: string }> {
  const stage = await openHostileStage({ settings: { scm: { command: 'git', tasks: ['commit'] } }, files: FILES });
  const mark = join(stage.repo.beside, 'escaped');
  for (const [key, value] of Object.entries(PROGRAMS)) stage.repo.git('config', key, value);
  await stage.repo.write('agent.sh', attack(mark));
  stage.repo.git('add', '-A');
  stage.repo.git('commit', '-qm', 'before');
  const { stderr } = await stage.ralph('run', '-p', 'Do it.', '--agent', 'sh agent.sh', '--guardrail', 'true', '-m', '2', '--json', mode);
  return { ...stage, marks: ATTACKS.filter((name) => existsSync(`${mark}-${name}`)), said: stderr };
}

describe.skipIf(bubblewrapIsMissing())('what the filters of the operator’s git load from the work tree', () => {
  it('runs outside where there is no sandbox, which is told, and only inside with one: Ralph commits what it makes', async () => {
    await using naive = await attacked('--no-sandbox');
    expect(naive.marks, naive.said).toEqual(ATTACKS);
    expect(naive.said).toContain('git runs filter.script, filter.module, filter.long outside a sandbox, on what agents write');
    await using stage = await attacked('--sandbox=os');
    expect(stage.marks, stage.said).toEqual([]);
    const committed = ['s', 'm', 'l', 'i'].map((name) => stage.repo.git('show', `HEAD:z.${name}`));
    expect(committed, stage.said).toEqual(['MADE', 'MADE', 'made', 'made']);
    expect(existsSync(join(stage.repo.path, 'settings/included'))).toBe(false);
  });
});

/** The driver takes both sides. Both tasks change what it loads, and both change the same file. */
const MERGES = `printf '%s' 'try { require("node:fs").writeFileSync("MARK", ""); } catch {}' > tools/lib.cjs
echo "by $id" > shared.x; save
: >"$here/began.$id"; await began.A; await began.B; claim
`;
const DRIVER = `require('./lib.cjs');
const { appendFileSync, readFileSync } = require('node:fs');
appendFileSync(process.argv[2], readFileSync(process.argv[3]));
`;

async function merged(mode: string) {
  const files = { '.gitattributes': '*.x merge=both\n', 'shared.x': 'nobody\n', 'tools/lib.cjs': '', 'tools/merge.cjs': DRIVER };
  const stage = await openWorkStage(['A', 'B'], '', { files });
  const { beside } = stage.repo;
  const mark = join(dirname(beside), 'escaped');
  appendFileSync(join(beside, 'agent.sh'), MERGES.replace('MARK', mark));
  await stage.repo.write('.ralph/settings.json', JSON.stringify({ sandbox: { writable: [beside] } }));
  stage.repo.git('commit', '-qam', 'agents wait for each other by files beside');
  stage.repo.git('config', 'merge.both.driver', `node ${stage.repo.path}/tools/merge.cjs %A %B`);
  const run = await stage.work('--workers', '2', '--check', 'true', mode);
  expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', work: { tasks: { done: 2, conflicts: 0 } } } });
  return { ...stage, escaped: existsSync(mark) };
}

it.skipIf(bubblewrapIsMissing())('a merge driver of the operator’s git runs inside too when `ralph work` merges, and its result counts', async () => {
  await using naive = await merged('--no-sandbox');
  expect(naive.escaped).toBe(true);
  await using stage = await merged('--sandbox=os');
  expect(stage.escaped).toBe(false);
  expect(stage.repo.git('show', 'main:shared.x').split('\n').toSorted()).toEqual(['by A', 'by B']);
});

/** A repository of ordinary files, under a name that is not `.git`: a git that is started in that folder runs what its settings say. */
const trap = (mark: string) => `mkdir -p app/objects app/refs; echo x | tee app/objects/x > app/refs/x; echo 'ref: refs/heads/main' > app/HEAD
printf '[core]\\n\\trepositoryFormatVersion = 0\\n\\tworktree = ..\\n\\tfsmonitor = "touch ${mark}; false"\\n' > app/config
`;
const statusIn = (folder: string) => execFileSync('sh', ['-c', 'cd app 2>/dev/null && git status; true'], { cwd: folder, stdio: 'ignore' });

describe.skipIf(bubblewrapIsMissing())('a repository under another name, as files of the project,', () => {
  it.each([
    ['committed', 'save; claim'],
    ['left behind', 'claim'],
  ])('does not come into the operator’s tree from a task of ralph work, %s', async (_how, ends) => {
    await using stage = await openWorkStage(['A'], '');
    const mark = join(dirname(stage.repo.beside), 'escaped');
    await stage.repo.write('.ralph/settings.json', JSON.stringify({ sandbox: { writable: [stage.repo.beside] } }));
    stage.repo.git('commit', '-qam', 'agents write down their calls');
    appendFileSync(join(stage.repo.beside, 'agent.sh'), `${trap(mark)}echo work > work.txt; ${ends}\n`);
    const { stderr } = await stage.work('--sandbox=os');
    statusIn(stage.repo.path);
    expect([existsSync(mark), stage.merged()], stderr).toEqual([false, []]);
    expect(stderr).toContain('app has HEAD, objects and refs: git would take it for a repository and obey its settings');
    expect(stage.repo.git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
    // The same files, made without Ralph.
    execFileSync('sh', ['-c', trap(mark)], { cwd: stage.repo.path });
    statusIn(stage.repo.path);
    expect(existsSync(mark)).toBe(true);
  });

  it('does not come into the history of a run by a commit of the agent', async () => {
    await using stage = await openHostileStage();
    const mark = join(stage.repo.beside, 'escaped');
    await stage.repo.write('agent.sh', `${trap(mark)}git add -A; git commit -qm trap; git rm -rq app; git commit -qm gone; echo DONE\n`);
    stage.repo.git('add', '-A');
    stage.repo.git('commit', '-qm', 'before');
    const { stderr } = await stage.ralph('run', '-p', 'Do it.', '--agent', 'sh agent.sh', '--guardrail', 'true', '-m', '1', '--sandbox=os');
    const commits = stage.repo.git('rev-list', 'main').split('\n');
    for (const commit of commits) {
      stage.repo.git('checkout', '-q', '--detach', commit);
      statusIn(stage.repo.path);
    }
    expect(existsSync(mark), stderr).toBe(false);
  });
});
