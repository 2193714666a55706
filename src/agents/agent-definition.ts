import type { AgentOutput, JudgeAbilities } from '../engine/ports/agent.ts';
import type { AgentErrorKind, AgentEvent } from '../journal/words/agent-event.ts';
import type { AgentLogin } from '../sandbox/agent-login.ts';
import type { AgentPreflight } from './agent-preflight.ts';

export type Autonomy = 'full' | 'edits' | 'ask';

/** Everything particular to one agent CLI. Each folder beside this file exports one; `definitions.ts` lists them. */
export interface AgentDefinition {
  /** The name of its kind, as in `agent.kind`. */
  readonly name: string;
  /** The command that people start it with, in lower case. Ralph recognises it by this name, looks for it on PATH, and offers it in `init` and help. Null: it is no program, and chosen by its kind. */
  readonly program: string | null;
  /** Its output when asked for events. lines: plain text, in all of which claims are searched. events: a stream, in whose last message claims are searched. */
  readonly outputFormat: 'events' | 'lines';
  /**
   * It can print only its last message, as plain text, unless the operator's own flags contain one of these, which choose or need a format. Null: it has no
   * such mode.
   */
  readonly textUnless: readonly string[] | null;
  /** How to call it. Throws an OperatorError for a call that this agent can never accept. */
  readonly call: (spec: CallSpec, known: KnownFlags) => AgentCall;
  readonly openParser: (clock: ParserClock) => StreamParser;
  readonly stopWith: 'interrupt' | 'terminate';
  /** How far it is restricted when it judges, with these flags of the operator's. Null: it has no flags that take its tools away. */
  readonly judge: ((flags: readonly string[]) => JudgeAbilities) | null;
  /** Arguments that make the binary print its flags, for agents whose flags differ between versions. Null: it is never asked. */
  readonly helpArgs: readonly string[] | null;
  /** What it prints on stderr, without `error:` in front, when it fails before its stream could say why. Limits are known for every agent. */
  readonly complaints: readonly Complaint[];
  /** The provider's words in a line of its log on stderr, for an agent that then waits without a word on stdout. Null: it says so there, or ends. */
  readonly refusalInLog: ((line: string) => string | null) | null;
  /** Flags that it needs to work on a task. */
  readonly taskFlags: (needs: TaskNeeds) => readonly string[];
  /** The arguments that open a planning session with the user at the terminal. Throws an OperatorError if it cannot be started with a prompt. */
  readonly planningArgs: (session: PlanningSession) => readonly string[];
  /** The model it works with; `any`: the one that variables name. */
  readonly model: ModelAccess | 'any';
  /** Names of the variables that it needs, including its keys, with `*` for any characters. An agent for any model gets those of all agents. */
  readonly variables: readonly string[];
  /** Variables that one of its sessions sets for its child processes. Ralph may be started in one, and passes them to no agent. */
  readonly sessionVariables: readonly string[];
  readonly login: AgentLogin;
  /**
   * Files and folders of a work tree that it obeys, besides its memory: settings, hooks, servers, skills. Each agent of a run gets those of its start, whatever
   * another agent has made of them.
   */
  readonly obeys: readonly string[];
  /** The name of Docker's template for it. Null: it gets a plain machine. */
  readonly dockerTemplate: string | null;
  /** Loads what Ralph checks before a run. Null: Ralph knows of no login and no model of this agent. */
  readonly preflight: (() => Promise<AgentPreflight>) | null;
}

export interface Complaint {
  readonly words: RegExp;
  readonly kind: AgentErrorKind;
}

/** Whom an agent must reach to work at all. */
export interface ModelAccess {
  /** Variables that contain an address of the model's API; those that are set count instead of `hosts`. */
  readonly movedBy: readonly string[];
  readonly hosts: readonly string[];
  /** Hosts that are needed in either case, for example to renew the login. */
  readonly login: readonly string[];
  /** Variables that contain further addresses that it needs. */
  readonly alsoAt: readonly string[];
  /** Other providers whose cloud may run the model. */
  readonly clouds: readonly Cloud[];
}

export interface Cloud {
  /** The variable that makes the agent use it. */
  readonly switchedOnBy: string;
  /** Names of variables with the login of this cloud, with `*` for any characters. */
  readonly variables: readonly string[];
  readonly hosts: (env: Readonly<Record<string, string>>) => readonly string[];
}

export interface TaskNeeds {
  readonly autonomy: Autonomy;
  /** Commands that it must be able to run, even if it may only edit files. */
  readonly commands: readonly string[];
  /** A folder outside its work tree that it must write to. */
  readonly folder: string | null;
}

export interface PlanningSession {
  readonly model: string | null;
  /** The folder of our plugin, for an agent that has plugins. */
  readonly plugin: string;
  /** The same instructions as a first prompt. */
  readonly prompt: string;
}

export interface CallSpec {
  /** `text` only for an agent with `textUnless`. */
  readonly output: AgentOutput;
  readonly autonomy: Autonomy;
  readonly model: string | null;
  /** The most it may spend; null: no limit. */
  readonly budgetUsd: number | null;
  /** The operator's own flags, one word each. */
  readonly flags: readonly string[];
  readonly asRoot: boolean;
  readonly insideGit: boolean;
  /** Whether it runs in a sandbox of ours: its own sandbox would not work inside. */
  readonly isSandboxed: boolean;
  /** The environment of the process, before the call's own changes. */
  readonly env: Readonly<Record<string, string>>;
  /** A file with the prompt, which is always passed on stdin too. */
  readonly promptFile: string;
  readonly cwd: string;
  /** It judges the work of another agent. Files of the work tree must not be its settings, hooks or memory, and it gets no tool that runs or writes. */
  readonly judges: boolean;
}

/** The flags that the binary's help names. Null: it was not asked, or gave no answer. */
export type KnownFlags = ReadonlySet<string> | null;

export interface AgentCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The time and the time zone of the output: some agents give a limit's reset only as a local time. */
export interface ParserClock {
  readonly nowMs: () => number;
  readonly timeZone: string;
}

/** Parses one run's stdout into events. Linear in its input, bounded in memory, and it never throws, whatever a line contains. */
export interface StreamParser {
  line(text: string): readonly AgentEvent[];
  /** The remaining events at the end of the stream. `exited`: the process was seen to end by itself. */
  end(exited: boolean): readonly AgentEvent[];
  /** True while the agent has finished its turn and nothing runs in the background. Any later line may make it false. */
  settled(): boolean;
}
