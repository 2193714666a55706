/** What an agent keeps in the home. All paths are relative to the home. */
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
  /** The variable that moves the first folder elsewhere. */
  readonly movedBy: string | null;
}

const NONE: AgentLogin = { folders: [], files: [], sealed: [], unpacked: [], copied: [], private: [], movedBy: null };

const below = (folder: string, names: readonly string[]) => names.map((name) => `${folder}/${name}`);

const LOGINS: Readonly<Record<string, AgentLogin>> = {
  claude: {
    folders: ['.claude'],
    files: ['.claude.json'],
    sealed: below('.claude', [
      ...['settings.json', 'settings.local.json', 'CLAUDE.md', 'hooks', 'commands', 'agents', 'skills', 'plugins', 'rules', 'output-styles'],
      ...['local', 'bin', 'workflows', 'keybindings.json', 'statusline.sh', 'remote-settings.json', 'managed-settings.json', '.mcp.json'],
    ]),
    unpacked: [],
    copied: ['.claude.json'],
    private: below('.claude', ['shell-snapshots', 'session-env']),
    movedBy: 'CLAUDE_CONFIG_DIR',
  },
  codex: {
    ...NONE,
    folders: ['.codex'],
    sealed: below('.codex', [
      'config.toml',
      'AGENTS.md',
      'AGENTS.override.md',
      'prompts',
      'rules',
      'skills',
      'hooks',
      'hooks.json',
      'plugins',
      'bin',
      'packages',
    ]),
    unpacked: ['.codex/skills'],
    private: below('.codex', ['shell_snapshots']),
    movedBy: 'CODEX_HOME',
  },
  gemini: {
    ...NONE,
    folders: ['.gemini'],
    sealed: below('.gemini', [
      ...['settings.json', 'GEMINI.md', 'commands', 'extensions', 'policies', 'hooks', 'skills', 'agents', 'trustedFolders.json', '.env'],
    ]),
  },
  opencode: { ...NONE, folders: ['.local/share/opencode'], files: ['.config/opencode'], sealed: ['.local/share/opencode/bin'] },
  amp: { ...NONE, folders: ['.local/share/amp'], files: ['.config/amp'], sealed: ['.local/share/amp/bin', '.local/share/amp/plugins'] },
  copilot: {
    ...NONE,
    folders: ['.copilot'],
    files: ['.config/github-copilot'],
    sealed: below('.copilot', ['config.json', 'mcp-config.json', 'agents', 'hooks', 'pkg']),
  },
  cursor: {
    ...NONE,
    folders: ['.cursor'],
    files: ['.config/cursor'],
    sealed: below('.cursor', ['mcp.json', 'hooks.json', 'hooks', 'rules', 'commands', 'extensions', 'cli-config.json']),
  },
};

export function loginOf(agentKind: string): AgentLogin {
  return LOGINS[agentKind] ?? NONE;
}

/** The folders that any agent can write, whichever one is running. */
export function loginFolders(): readonly string[] {
  return Object.values(LOGINS).flatMap(({ folders }) => folders);
}
