import { availableParallelism } from 'node:os';
import { untilSignalled } from '../../cli/shared/until-signalled.ts';
import { packagePath } from '../../kit/files/package-root.ts';
import { parseDuration, plural } from '../../kit/pure/amounts.ts';
import { didYouMean } from '../../kit/pure/did-you-mean.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { io } from '../../process/io.ts';
import { canRewriteLines } from '../../report/terminal/terminal-look.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import type { TortureCase } from '../torture/figures/case-file.ts';
import { howToGet, markdownLines, reportJson, reportLines, type Skipped } from '../torture/figures/report.ts';
import { type CaseResult, stands, tallyOf } from '../torture/figures/tally.ts';
import type { Loop } from '../torture/loops/loop.ts';
import { ANY, OURS, PRESETS } from '../torture/loops/presets.ts';
import { openRunners, type Runners } from '../torture/runners.ts';
import { readSet, torture } from '../torture/torture.ts';

interface TortureFlags {
  readonly loop?: string;
  readonly preset?: string;
  readonly loopBin?: string;
  readonly proof?: string;
  readonly sealed?: boolean;
  readonly gate?: string;
  readonly case?: readonly string[];
  readonly part: string;
  readonly install?: boolean;
  readonly jobs?: string;
  readonly caseTimeout?: string;
  readonly keep?: boolean;
  readonly json?: boolean;
  readonly markdown?: boolean;
}

/** Exit code 0: the loop passes, 1: it does not. */
export async function tortureCommand(flags: TortureFlags): Promise<number> {
  const { loop, loopBin, proof } = loopOf(flags);
  const [jobs, timeoutMs] = [jobsOf(flags), timeoutOf(flags)];
  const set = await readSet();
  const cases = chosen(set.cases, flags);
  const say = (line: string) => io().stderr.write(`${line}\n`);
  const runners = openRunners(environment());
  if (flags.install) await runners.install([...new Set(cases.flatMap(({ needs }) => needs))], say);
  const { able, skipped } = await ableCases(cases, runners);
  for (const { gate, cases: count, missing } of skipped)
    say(`>>> SKIPPED ${gate}, ${plural(count, 'case')}: ${missing.join(', ')} not found. ${howToGet(missing)}`);
  if (able.length === 0) throw new OperatorError('no-cases', 'no case could be run', { hint: 'Its runners are missing, as said above.', exitCode: 2 });
  using signalled = untilSignalled();
  const progress = openProgress(able.length);
  const rack = { loop, loopBin, env: environment(), runners, keep: flags.keep === true, timeoutMs, isSealed: flags.sealed === true };
  const results = await torture(able, { ...rack, jobs, ...progress }, signalled.signal);
  if (signalled.signal.aborted) {
    say('Interrupted; nothing is left running, and nothing is counted.');
    return signalled.exitCode();
  }
  const tally = tallyOf(results);
  const setting = { loop: loop.name, proof, setVersion: set.version, skipped };
  const lines = flags.json
    ? [JSON.stringify(reportJson(tally, results, setting))]
    : flags.markdown
      ? markdownLines(tally, setting)
      : reportLines(tally, setting);
  io().stdout.write(lines.map((line) => `${line}\n`).join(''));
  return stands(tally) ? 0 : 1;
}

const usage = (message: string) => new OperatorError('usage', message, { hint: 'ralph torture --help shows every option.', exitCode: 2 });

function loopOf(flags: TortureFlags): Called {
  if (!flags.sealed) return givenLoop(flags);
  if (flags.loop !== undefined || flags.proof !== undefined || (flags.preset ?? OURS.name) !== OURS.name)
    throw usage('--sealed is for Ralph alone, and sets its level of proof');
  return { loop: OURS, loopBin: flags.loopBin ?? selfCommand(), proof: 'sealed' };
}

interface Called {
  readonly loop: Loop;
  readonly loopBin: string;
  readonly proof: string | null;
}

function givenLoop({ loop: command, preset: name, loopBin, proof }: TortureFlags): Called {
  if (command !== undefined && name !== undefined) throw usage('cannot specify both --loop and --preset');
  if (command !== undefined) return { loop: { ...ANY, name: command.split(' ')[0] ?? ANY.name, command }, loopBin: loopBin ?? '', proof: null };
  const preset = PRESETS.find((each) => each.name === (name ?? OURS.name));
  if (preset === undefined) throw usage(`there is no preset ${JSON.stringify(name)}: ${PRESETS.map((each) => each.name).join(', ')}`);
  if (preset !== OURS) {
    if (loopBin === undefined) throw usage(`--preset ${preset.name} needs --loop-bin: where its program is`);
    return { loop: preset, loopBin, proof: null };
  }
  return {
    loop: proof === undefined ? OURS : { ...OURS, command: `${OURS.command} --proof ${proof}` },
    loopBin: loopBin ?? selfCommand(),
    proof: proof ?? 'living',
  };
}

const selfCommand = () => [process.execPath, packagePath('dist', 'cli', 'main.js')].map(shellQuote).join(' ');

function jobsOf({ jobs }: TortureFlags): number {
  if (jobs === undefined) return Math.max(1, Math.floor(availableParallelism() / 2));
  if (/^[1-9]\d?$/.test(jobs)) return Number(jobs);
  throw usage(`--jobs must be a whole number from 1 to 99, got ${JSON.stringify(jobs)}`);
}

function timeoutOf({ caseTimeout = '120s' }: TortureFlags): number {
  const ms = parseDuration(caseTimeout);
  if (ms !== null && ms > 0 && Number.isFinite(ms)) return ms;
  throw usage(`--case-timeout must be a duration such as "120s", got ${JSON.stringify(caseTimeout)}`);
}

function chosen(set: readonly TortureCase[], { gate, case: ids = [], part, sealed = false }: TortureFlags): readonly TortureCase[] {
  const all = sealed ? set.filter((each) => Object.keys(each.sealed).length > 0) : set;
  const gates = [...new Set(all.map((each) => each.gate))];
  if (gate !== undefined && !gates.includes(gate)) {
    const near = didYouMean(gate, gates);
    throw usage(`there is no gate ${JSON.stringify(gate)}${near === null ? `: ${gates.join(', ')}` : `, did you mean ${near}?`}`);
  }
  const isCalled = (id: string, { name }: TortureCase) => name === id || name.endsWith(`/${id}`);
  const cases = all.filter((each) => (gate === undefined || each.gate === gate) && (part === 'all' || each.part === part));
  const unknown = ids.find((id) => !cases.some((each) => isCalled(id, each)));
  if (unknown !== undefined) throw usage(`there is no case ${JSON.stringify(unknown)} among those`);
  if (cases.length === 0) throw usage(`there is no case in the part ${part}`);
  return ids.length === 0 ? cases : cases.filter((each) => ids.some((id) => isCalled(id, each)));
}

async function ableCases(
  cases: readonly TortureCase[],
  runners: Runners,
): Promise<{ readonly able: readonly TortureCase[]; readonly skipped: readonly Skipped[] }> {
  const missing = await runners.missing([...new Set(cases.flatMap(({ needs }) => needs))]);
  const lacking = ({ needs }: TortureCase) => needs.filter((need) => missing.includes(need));
  const left = cases.filter((each) => lacking(each).length > 0);
  const skipped = [...new Set(left.map(({ gate }) => gate))].map((gate) => {
    const those = left.filter((each) => each.gate === gate);
    return { gate, cases: those.length, missing: [...new Set(those.flatMap(lacking))] };
  });
  return { able: cases.filter((each) => !left.includes(each)), skipped };
}

/** On a terminal one line, which is rewritten, shows what runs; the result of each case stays. */
function openProgress(count: number): { readonly onStart: (each: TortureCase) => void; readonly onResult: (result: CaseResult) => void } {
  const { stderr } = io();
  const live = canRewriteLines(stderr);
  let done = 0;
  return {
    onStart: ({ name }) => void (live && stderr.write(`\r\u001b[K${done}/${count} ${name} …`)),
    onResult: ({ case: { name, part, kind, expect }, came, reason, durationMs }) => {
      done += 1;
      const mark = expect === 'refused' ? (came === 'done' ? 'ACCEPTED' : came) : came === 'not-done' ? 'REFUSED' : came;
      const why = came === 'done' ? '' : `  ${reason}`;
      stderr.write(`${live ? '\r\u001b[K' : ''}${done}/${count} ${mark.padEnd(8)} ${part} ${name} (${kind}) ${(durationMs / 1000).toFixed(1)}s${why}\n`);
    },
  };
}
