import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { currentDirectory } from '../../../cli/shared/flags.ts';
import { untilSignalled } from '../../../cli/shared/until-signalled.ts';
import { openSecretHider } from '../../../kit/pure/hide-secrets.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { io } from '../../../process/io.ts';
import { alignRows } from '../../../report/views/align-rows.ts';
import { environment } from '../../../sandbox/environment/environment.ts';
import { loadLoopSettings, RALPH_YAML } from '../../../settings/load-loop-settings.ts';
import { SETTINGS_FILES } from '../../../settings/load-settings.ts';
import { notifyOf } from '../../../settings/notify-of-settings.ts';
import type { NotifySpec } from '../../../settings/schema/notify-spec.ts';
import { CHANNEL_NAMES } from '../../channels/channels.ts';
import { messageOf } from '../../notices/notices.ts';
import { deliver } from '../deliver.ts';
import { type ReadyChannel, readSecrets } from '../secrets.ts';

interface NotifyFlags {
  /** True without a name. */
  readonly test?: string | true;
  readonly config?: string;
  readonly json?: boolean;
}

export async function notifyCommand({ test, config, json = false }: NotifyFlags): Promise<number> {
  const cwd = folderOfSettings(currentDirectory());
  const { settings } = await loadLoopSettings(cwd, config ?? null);
  const { notify = { intervalMs: 0, channels: [] } } = notifyOf(settings);
  if (test === undefined) return show(notify, json);
  using signalled = untilSignalled();
  const exitCode = await sendTests(chosen(notify, test), { cwd, json }, signalled.signal);
  return signalled.exitCode() || exitCode;
}

/** The nearest folder with settings, not above the repository. */
function folderOfSettings(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if ([...SETTINGS_FILES, RALPH_YAML].some((name) => existsSync(join(folder, name)))) return folder;
    if (existsSync(join(folder, '.git')) || dirname(folder) === folder) return cwd;
  }
}

function show({ channels }: NotifySpec, json: boolean): number {
  const rows = channels.map(({ channel, events, options }) => [channel, events.join(', '), optionsText(options)]);
  const lines = rows.length === 0 ? ['Nobody is told anything: the settings have no channel in the group notify.'] : alignRows(rows);
  print(json ? [JSON.stringify({ channels })] : lines);
  return 0;
}

/** Secrets are only named here, but a command line may contain one. */
function optionsText(options: Readonly<Record<string, unknown>>): string {
  const hide = openSecretHider([]);
  return Object.entries(options)
    .map(([key, value]) => hide(`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`))
    .join(', ');
}

function chosen(notify: NotifySpec, name: string | true): NotifySpec {
  const channels = notify.channels.filter(({ channel }) => name === true || channel === name);
  if (channels.length > 0) return { ...notify, channels };
  const what = name === true ? 'there is no channel to test' : `the settings have no channel ${JSON.stringify(name)}`;
  throw new OperatorError('usage', what, {
    hint: `Add one to the group notify in .ralph/settings.json: ${CHANNEL_NAMES.join(', ')}.`,
    exitCode: 2,
  });
}

interface Result {
  readonly channel: string;
  readonly sent: boolean;
  /** Why it was not sent. */
  readonly problem: string | null;
}

async function sendTests(notify: NotifySpec, { cwd, json }: { readonly cwd: string; readonly json: boolean }, signal: AbortSignal): Promise<number> {
  const env = environment();
  const { ready, missing, secrets } = await readSecrets(notify, { env, cwd });
  const hide = openSecretHider(secrets);
  const sent = await Promise.all(ready.map((channel) => sendTest(channel, cwd, env, signal)));
  const results = [...sent, ...missing.map(({ name, why }): Result => ({ channel: name, sent: false, problem: why }))].map((result) => ({
    ...result,
    problem: result.problem === null ? null : hide(result.problem),
  }));
  print(
    json
      ? [JSON.stringify({ channels: results })]
      : results.map(({ channel, problem }) => (problem === null ? `${channel}: sent` : `${channel}: not sent: ${problem}`)),
  );
  return results.some((result) => result.sent) ? 0 : 1;
}

async function sendTest({ name, channel, options }: ReadyChannel, cwd: string, env: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Result> {
  const nowMs = Date.now();
  const notice = { seq: 1, atMs: nowMs, events: ['needs_you'] as const, text: 'This is a test message of ralph notify --test.' };
  const message = { ...messageOf([notice], { run: `test-${nowMs}`, recipe: 'notify', project: basename(cwd), hide: (text) => text }), lines: [notice.text] };
  const place = { cwd, env, marker: `${message.run}/notify-${name}`, backoffMs: [] };
  const problem = await deliver(channel.deliver(message, options, process.platform), message.id, place, signal);
  return { channel: name, sent: problem === null, problem };
}

function print(lines: readonly string[]): void {
  io().stdout.write(lines.map((line) => `${line}\n`).join(''));
}
