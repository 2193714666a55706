/** What an agent keeps in the home: its login, its settings and its program. All paths are relative to the home. */
export interface AgentLogin {
  /** Writable for the agent they belong to, and created if missing. Hidden from all other processes. */
  readonly folders: readonly string[];
  /** Readable for the agent they belong to. Hidden from all other processes. */
  readonly files: readonly string[];
  /** Files that the agent would read or run on the host later: they can be read inside, but never changed or created. */
  readonly sealed: readonly string[];
  /** Sealed folders that the agent unpacks its own files into. If nobody keeps other files there, every start gets an empty one. */
  readonly unpacked: readonly string[];
  /** Files that contain both state the agent must write and commands the host would run: the agent gets a copy. */
  readonly copied: readonly string[];
  /** Folders with scripts of other sessions that are still running. */
  readonly private: readonly string[];
  /** Where its installer puts its program, if no agent can write there. Readable for all processes. */
  readonly programs: readonly string[];
  /** The variable that moves the first folder elsewhere. */
  readonly movedBy: string | null;
}

/** For an agent that keeps nothing in the home, and as a start for one that keeps little. */
export const NO_LOGIN: AgentLogin = { folders: [], files: [], sealed: [], unpacked: [], copied: [], private: [], programs: [], movedBy: null };
