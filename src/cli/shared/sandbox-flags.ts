import type { Command } from 'commander';
import type { SettingsFile } from '../../settings/schema/settings-file.ts';
import { choiceOf, collect } from './flags.ts';

/** The options that say what stands around an agent, as commander hands them over. */
export interface SandboxFlags {
  /** False with `--no-sandbox`, true where a caller has no `=` to add. */
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

/** The same as a settings file that lies over the others. */
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

/** Whoever names a folder of sealed checks wants them, whatever the files say. */
function proofSettings({ proof, mayChange, sealed }: SandboxFlags): Pick<SettingsFile, 'proof'> {
  const wanted = proof === undefined && sealed !== undefined ? 'sealed' : proof;
  const level = wanted === undefined ? null : choiceOf('--proof', wanted, LEVELS);
  const said = { ...(level !== null && { level }), ...(mayChange && { mayChange: [...mayChange] }), ...(sealed !== undefined && { sealed }) };
  return Object.keys(said).length > 0 ? { proof: said } : {};
}

/** Alone it forces docker (seed 003). */
function modeOf(sandbox: SandboxFlags['sandbox']): (typeof MODES)[number] | null {
  if (typeof sandbox === 'string') return choiceOf('--sandbox', sandbox, MODES);
  return sandbox === undefined ? null : sandbox ? 'docker' : 'guard';
}

/** What every command has that starts agents. */
export function withSandboxOptions(command: Command): Command {
  return command
    .optionsGroup('What stands around the agent:')
    .option('--sandbox [mode]', '=docker, =os or =guard, or not at all; alone it is docker (the strongest that is there)')
    .option('--no-sandbox', 'no sandbox: only the guard looks at commands')
    .option('--workspace <kind>', 'isolated: a folder of its own, of which files land in yours (with =os); copy: the same without a sandbox; place: your files')
    .option('--allow-host <host>', "a host that may be reached beside the model's; repeat it for more", collect);
}

/** The same, and `--protect`, which a loop has among its proofs. */
export function withProtectedSandbox(command: Command): Command {
  return withSandboxOptions(command).option('--protect <glob>', 'paths no agent may change; repeat it for more', collect);
}

/** What a claim needs before it counts, for commands that prove claims. */
export function withProofOptions(command: Command): Command {
  return command
    .option('--proof <level>', 'what a claim needs: off, green, living or sealed (living)')
    .option('--sealed <folder>', 'checks that agents never see, outside of the repository; ralph sealed new makes an example')
    .option('--may-change <glob>', 'tests or configuration that agents may change although they decide; repeat it for more', collect);
}

/** A mode is said only with `=`: what follows a bare `--sandbox` is never taken for one, be it a task or a flag. */
export function sandboxAlone(program: Command, argv: readonly string[]): readonly string[] {
  if (!argv.includes('--sandbox')) return argv;
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const takesNext = flagsWithValue(program);
  return argv.map((word, index) => (word === '--sandbox' && index < end && !takesNext.has(argv[index - 1] ?? '') ? '--sandbox=docker' : word));
}

/** `--agent-flags --sandbox` gives somebody else's flag to an agent. */
function flagsWithValue(command: Command): ReadonlySet<string> {
  const own = command.options.filter(({ required }) => required).flatMap(({ long, short }) => [long, short].filter((flag) => flag !== undefined));
  return new Set([...own, ...command.commands.flatMap((each) => [...flagsWithValue(each)])]);
}
