import type { Command } from 'commander';
import type { SettingsFile } from '../../settings/schema/settings-file.ts';
import { choiceOf, collect } from './flags.ts';

/** The options about sandbox, workspace and proof, as commander parses them. */
export interface SandboxFlags {
  /** False with `--no-sandbox`; true for a bare `--sandbox` that `sandboxAlone` has not rewritten. */
  readonly sandbox?: string | boolean;
  readonly allowHost?: readonly string[];
  readonly workspace?: string;
  readonly protect?: readonly string[];
  readonly proof?: string;
  readonly mayChange?: readonly string[];
  readonly sealed?: string;
}

const MODES = ['docker', 'os', 'guard', 'auto'] as const;
const WORKSPACES = ['isolated', 'copy', 'place'] as const;
const LEVELS = ['off', 'green', 'living', 'sealed'] as const;

/** The flags as a settings file that overrides the others. */
export function sandboxSettings(flags: SandboxFlags): SettingsFile {
  const { sandbox, allowHost, workspace, protect } = flags;
  const mode = modeOf(sandbox);
  const kind = workspace === undefined ? null : choiceOf('--workspace', workspace, WORKSPACES);
  const said = { ...(mode !== null && { mode }), ...(allowHost && { allowHosts: [...allowHost] }) };
  return {
    ...(Object.keys(said).length > 0 && { sandbox: said }),
    ...(kind !== null && { workspace: kind }),
    ...(protect && { protect: [...protect] }),
    ...proofSettings(flags),
  };
}

/** `--sealed` implies the level `sealed`, whatever the settings files say. */
function proofSettings({ proof, mayChange, sealed }: SandboxFlags): Pick<SettingsFile, 'proof'> {
  const wanted = proof === undefined && sealed !== undefined ? 'sealed' : proof;
  const level = wanted === undefined ? null : choiceOf('--proof', wanted, LEVELS);
  const said = { ...(level !== null && { level }), ...(mayChange && { mayChange: [...mayChange] }), ...(sealed !== undefined && { sealed }) };
  return Object.keys(said).length > 0 ? { proof: said } : {};
}

/** A bare `--sandbox` means docker (seed 003). */
function modeOf(sandbox: SandboxFlags['sandbox']): (typeof MODES)[number] | null {
  if (typeof sandbox === 'string') return choiceOf('--sandbox', sandbox, MODES);
  return sandbox === undefined ? null : sandbox ? 'docker' : 'guard';
}

/** The options of every command that starts agents. */
export function withSandboxOptions(command: Command): Command {
  return command
    .optionsGroup('Sandbox:')
    .option('--sandbox [mode]', 'docker, os or guard (default: the strongest available; the bare flag means docker)')
    .option('--no-sandbox', 'no sandbox: only the guard checks commands')
    .option(
      '--workspace <kind>',
      'isolated: agents work in a copy at the same path, changed files land in yours (with --sandbox=os); copy: the same without a sandbox; place: agents work in your files',
    )
    .option('--allow-host <host>', "a host that agents may reach besides the model's; repeatable", collect);
}

/** The same with `--protect`, which `ralph loop` lists under its proof options instead. */
export function withProtectedSandbox(command: Command): Command {
  return withSandboxOptions(command).option('--protect <glob>', 'paths no agent may change; repeatable', collect);
}

/** The proof options of every command that proves claims. */
export function withProofOptions(command: Command): Command {
  return command
    .option('--proof <level>', 'the proof a claim needs: off, green, living or sealed (living)')
    .option('--sealed <folder>', 'a folder outside of the repository with checks that agents never see; ralph sealed new creates an example')
    .option('--may-change <glob>', 'tests or configuration that agents may change although gates depend on them; repeatable', collect);
}

/** A mode needs `=`. The word after a bare `--sandbox` is never its value: it is a task or another flag. */
export function expandBareSandboxFlag(program: Command, argv: readonly string[]): readonly string[] {
  if (!argv.includes('--sandbox')) return argv;
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const takesNext = flagsWithValue(program);
  return argv.map((word, index) => (word === '--sandbox' && index < end && !takesNext.has(argv[index - 1] ?? '') ? '--sandbox=docker' : word));
}

/** In `--agent-flags --sandbox`, the word `--sandbox` is a value: a flag for the agent. */
function flagsWithValue(command: Command): ReadonlySet<string> {
  const own = command.options.filter(({ required }) => required).flatMap(({ long, short }) => [long, short].filter((flag) => flag !== undefined));
  return new Set([...own, ...command.commands.flatMap((each) => [...flagsWithValue(each)])]);
}
