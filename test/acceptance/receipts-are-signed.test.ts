import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Envelope } from '../../src/journal/words/receipt.ts';
import { signedBy } from '../../src/proof/receipts/dsse.ts';
import { bubblewrapIsMissing } from '../support/bubblewrap.ts';
import { bash, ends, turn } from '../support/claude-script.ts';
import { MESSAGE, nameAuthor, names, openCommittingStage, works } from '../support/committing-stage.ts';
import { ralph } from '../support/ralph.ts';
import { statementIn } from '../support/receipt-from.ts';
import { type EndedRun, journalOf, openStage, type Props, type Stage, WORK } from '../support/stage.ts';

const CHECK = 'sh check.sh';
const done = turn(bash(WORK), ...ends('COMPLETE'));

async function stageWith(script = [done], props: Props = {}): Promise<Stage> {
  const stage = await openStage(script, props);
  nameAuthor(stage.repo);
  return stage;
}

const loop = async (stage: Stage, ...more: readonly string[]): Promise<EndedRun> => {
  const run = await stage.ralph('loop', 'Do the work.', '--agent', 'claude', '--check', CHECK, '--commit', '--json', ...more);
  expect(run.code, run.stderr).toBe(0);
  return run;
};

const noteOf = (stage: Stage) => stage.repo.git('notes', '--ref=ralph', 'show');
const put = (stage: Stage, value: unknown) =>
  stage.repo.git('notes', '--ref=ralph', 'add', '-f', '-m', typeof value === 'string' ? value : JSON.stringify(value));
const written = (run: EndedRun) => journalOf(run).find(({ type }) => type === 'receipt.written');

describe('the receipt of a loop', () => {
  let stage: Stage;
  let run: EndedRun;
  let note = '';
  let pem = '';
  const keyFile = () => join(stage.repo.beside, '.config', 'ralph', 'receipt-key.pem');
  const pub = () => join(stage.repo.beside, 'receipt-key.pub');
  /** The same repository on a machine with another home. */
  const elsewhere = (...args: readonly string[]) => ralph(['verify', ...args], { cwd: stage.repo.path, env: { HOME: join(stage.repo.beside, 'other-home') } });
  beforeAll(async () => {
    stage = await stageWith([done], { files: { 'package.json': '{"scripts":{"test":"sh check.sh"}}' } });
    run = await loop(stage, '--check', 'npm test --silent');
    note = noteOf(stage);
    pem = (await stage.ralph('verify', '--print-key')).stdout;
    await writeFile(pub(), pem);
    await mkdir(join(stage.repo.beside, 'other-home'));
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it('is signed by a key that is created on first use and readable only by its owner', async () => {
    expect(written(run)).toMatchObject({ signed_by: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string });
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
    expect(pem).toMatch(/^-----BEGIN PUBLIC KEY-----\n[^-]+-----END PUBLIC KEY-----\n$/);
    const { code, stdout, stderr } = await stage.ralph('verify');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`\nSigned by your own key (${written(run)?.['signed_by']})\n`);
  });

  it('is an in-toto statement with the level, the deciders and the living gates', () => {
    const tree = stage.repo.git('rev-parse', 'HEAD^{tree}');
    const { subject, predicate } = statementIn(note);
    expect(subject).toEqual([{ digest: { gitCommit: stage.repo.git('rev-parse', 'HEAD') } }, { digest: { gitTree: tree } }]);
    expect(predicate).toMatchObject({ version: 1, tree, sandbox: 'guard', checks: [{ command: CHECK, tests: null }, {}] });
    const { deciders } = predicate.proof ?? {};
    // package.json and the script that it runs.
    expect(deciders).toMatchObject({ count: 2, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(deciders?.base_sha256).toBe(deciders?.sha256);
    expect(JSON.stringify(journalOf(run).find(({ type }) => type === 'proof.judged')?.['deciders'])).toBe(JSON.stringify(deciders));
  });

  it('is verified elsewhere with the public key', async () => {
    const { code, stdout, stderr } = await elsewhere('--key', pub());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`\nSigned by ${pub()} (sha256:`);
  });

  it('is reported as signed by an unknown key elsewhere, and refused with --require-signature', async () => {
    const key = String(written(run)?.['signed_by']);
    const unknown = await elsewhere();
    expect(unknown.code).toBe(0);
    expect(unknown.stdout).toContain(`\nSigned by unknown key ${key}: the checks are run again, who signed is not known\n`);
    const refused = await elsewhere('--require-signature');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/does not count: it is signed by sha256:[0-9a-f]{64}, which is no key that counts here\n$/);
    expect(JSON.parse((await elsewhere('--json')).stdout)).toMatchObject({ as_recorded: true, signature: { state: 'unknown-key', key } });
  });

  it('is verified only by the keys of the base, if the base has keys', async () => {
    const { repo } = stage;
    const base = async (name: string, key: string) => {
      repo.git('checkout', '--quiet', '-b', name, 'HEAD~1');
      await mkdir(join(repo.path, '.ralph', 'receipt-keys'), { recursive: true });
      await writeFile(join(repo.path, '.ralph', 'receipt-keys', 'ci.pub'), key);
      repo.git('add', '.ralph/receipt-keys/ci.pub');
      repo.git('commit', '--quiet', '-m', name);
      repo.git('checkout', '--quiet', 'main');
    };
    const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();
    await base('with-key', pem);
    await base('with-another', other);
    await base('with-nonsense', 'none');
    const good = await elsewhere('--base', 'with-key');
    expect(good, good.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(good.stdout).toContain('\nSigned by .ralph/receipt-keys/ci.pub (');
    for (const name of ['with-another', 'with-nonsense']) expect(await elsewhere('--base', name)).toMatchObject({ code: 1, stdout: '' });
  });

  describe('that was tampered with', () => {
    const stolen = generateKeyPairSync('ed25519').privateKey;
    const envelope = () => Envelope.parse(JSON.parse(note));
    const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
    const altered = () => {
      const statement = statementIn(note);
      return {
        ...statement,
        predicate: { ...statement.predicate, checks: statement.predicate.checks.map((check) => ({ ...check, command: 'touch ../beside/ran' })) },
      };
    };
    const forgeries: readonly (readonly [string, () => unknown, RegExp])[] = [
      ['an altered payload', () => ({ ...envelope(), payload: base64(altered()) }), /: its signature is not that of .*: it was changed, or/],
      ['a signature by another key', () => signedBy(stolen, altered()), /: it is signed by sha256:[0-9a-f]{64}, which is no key that counts here$/],
      [
        'a signature by another key under the name of ours',
        () => ({ ...signedBy(stolen, altered()), signatures: [{ ...envelope().signatures[0], sig: signedBy(stolen, altered()).signatures[0]?.sig }] }),
        /: its signature is not that of /,
      ],
      ['no signature any more', () => ({ ...envelope(), signatures: [] }), /: its signature is missing$/],
      ['the bare receipt alone', () => statementIn(note).predicate, /: it is not signed, and only a signature by a known key counts here$/],
    ];
    it.each(forgeries)('with %s is refused in one line, before anything it names is run', async (_, forged, problem) => {
      put(stage, forged());
      for (const args of [['--key', pub()], ['--require-signature']]) {
        const { code, stdout, stderr } = await stage.ralph('verify', ...args);
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr.trimEnd()).toMatch(problem);
        expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      }
      expect(await stat(join(stage.repo.beside, 'ran')).catch(() => null)).toBeNull();
    });

    it('is refused even without options if it names our key', async () => {
      put(stage, { ...envelope(), payload: base64(altered()) });
      expect(await stage.ralph('verify')).toMatchObject({ code: 1, stdout: '' });
    });

    it('is reported as unsigned if the signature was removed', async () => {
      put(stage, statementIn(note).predicate);
      const { code, stdout } = await stage.ralph('verify');
      expect(code).toBe(0);
      expect(stdout).toContain('\nUnsigned: the checks are run again, who wrote it is not known\n');
    });

    it('is refused for another commit, even with a valid signature', async () => {
      stage.repo.git('commit', '--quiet', '--allow-empty', '-m', 'same files');
      put(stage, note);
      expect((await stage.ralph('verify', '--key', pub())).code).toBe(0);
      await stage.repo.write('more.txt', 'unproven\n');
      stage.repo.git('add', 'more.txt');
      stage.repo.git('commit', '--quiet', '-m', 'more');
      put(stage, note);
      const { code, stderr } = await stage.ralph('verify', '--key', pub());
      expect(code).toBe(1);
      expect(stderr).toMatch(/does not count: it is about the tree [0-9a-f]{40}, and the commit holds/);
    });
  });

  it.each<[readonly string[], RegExp]>([
    [['--key', 'nowhere.pub'], /^error: nowhere\.pub cannot be read: ENOENT\n/],
    [['--key', 'check.sh'], /^error: check\.sh holds no public Ed25519 key\n/],
    [['--base', 'nowhere'], /^error: nowhere names no commit here\n/],
  ])('is refused with %j', async (args, message) => {
    const { code, stderr } = await stage.ralph('verify', ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('is not verified by a private key', async () => {
    expect((await stage.ralph('verify', '--key', keyFile())).code).toBe(2);
  });
});

describe('the receipt of ralph run', () => {
  const finished = async (stage: Stage): Promise<EndedRun> => {
    const run = await stage.run();
    expect(run.code, run.stderr).toBe(0);
    return run;
  };

  it('is signed and is a note of the commit, which ralph verify checks', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)]);
    const run = await finished(stage);
    const head = stage.repo.git('rev-parse', 'HEAD');
    expect(written(run)).toMatchObject({ commit: head, signed_by: expect.stringMatching(/^sha256:/) as string });
    expect(statementIn(noteOf(stage)).predicate).toMatchObject({
      commit: head,
      task: 'Do the work.',
      proof: { level: 'green' },
      checks: [{ command: CHECK, exit_code: 0 }],
    });
    expect(run.stderr).toMatch(new RegExp(`\\n *receipt +note of commit ${head.slice(0, 7)} \\(ralph verify ${head.slice(0, 7)}\\)\\n`));
    expect(await stage.ralph('verify', '--require-signature')).toMatchObject({ code: 0, stderr: '' });
  });

  it('is in the folder of a run that commits nothing, and ralph verify RUN and the report know it', async () => {
    await using stage = await stageWith([works]);
    const run = await finished(stage);
    const file = join(run.result?.run_folder ?? '', 'receipt.json');
    expect(run.result).toMatchObject({ receipt: file });
    expect(statementIn(await readFile(file, 'utf8')).predicate).toMatchObject({ commit: null, tree: expect.stringMatching(/^[0-9a-f]{40}$/) as string });
    const verified = await stage.ralph('verify', String(run.result?.run_id), '--require-signature');
    expect(verified, verified.stderr).toMatchObject({ code: 0 });
    expect((await stage.ralph('report', String(run.result?.run_id))).stdout).toContain(`ralph verify ${run.result?.run_id}`);
  });

  it('does not exist when nothing was proven', async () => {
    await using stage = await openStage([works], { gate: null });
    expect((await finished(stage)).result).toMatchObject({ unproven: true, receipt: null });
  });
});

describe('a loop without a key', () => {
  it('still succeeds, and says why its receipt is unsigned', async () => {
    await using stage = await stageWith();
    await writeFile(join(stage.repo.beside, '.config'), 'a file is in the way');
    const run = await loop(stage);
    expect(written(run)).toMatchObject({ signed_by: null, why_unsigned: expect.stringMatching(/^the key cannot be read or made: /) as string });
    expect(run.stderr).toMatch(/\n {2}receipt {5}note of commit \w+ \(ralph verify \w+\), unsigned: the key cannot be read or made/);
    const { code, stdout } = await stage.ralph('verify');
    expect(code).toBe(0);
    expect(stdout).toContain('\nUnsigned: ');
    expect((await stage.ralph('verify', '--require-signature')).code).toBe(1);
    expect(await stage.ralph('verify', '--print-key')).toMatchObject({ code: 4, stdout: '' });
  });
});

describe('an agent that tries to sign a receipt', () => {
  const FORGED = '{"version":1}';
  const thief = turn(
    bash(`${WORK}; cat ../beside/.config/ralph/* ~/.config/ralph/* > stolen.txt 2>&1; git notes --ref=ralph add -f -m '${FORGED}' HEAD; true`),
    ...ends('COMPLETE'),
  );

  it.skipIf(bubblewrapIsMissing())('cannot see the key in the os sandbox, and the loop overwrites its receipt', async () => {
    await using stage = await stageWith([thief]);
    expect((await stage.ralph('verify', '--print-key')).code).toBe(0);
    await loop(stage, '--sandbox=os', '--check', '! cat ../beside/.config/ralph/receipt-key.pem');
    const pem = await readFile(join(stage.repo.beside, '.config', 'ralph', 'receipt-key.pem'), 'utf8');
    expect(stage.repo.git('show', 'HEAD:stolen.txt')).not.toContain(pem.split('\n')[1]);
    expect(stage.repo.git('notes', '--ref=ralph', 'list').split('\n')).toHaveLength(1);
    expect(statementIn(noteOf(stage)).predicate).toMatchObject({ sandbox: 'os', commit: stage.repo.git('rev-parse', 'HEAD') });
  });

  it('cannot keep its own note: the note of the loop replaces it', async () => {
    await using stage = await stageWith([thief]);
    await loop(stage);
    expect((await stage.ralph('verify', '--require-signature')).code).toBe(0);
  });
});
