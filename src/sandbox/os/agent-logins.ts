/** What an agent keeps in the home. All paths are below it. */
export interface AgentLogin {
  /** Writable for the agent whose it is, and made if it is missing; not there for everybody else. */
  readonly folders: readonly string[];
  /** Seen by the agent whose it is, not there for everybody else. */
  readonly files: readonly string[];
  /** What the agent would read or run on the host later: it can be read here, and never be changed or made. */
  readonly sealed: readonly string[];
  /** Of those, folders the agent unpacks something of its own into: one in which nobody keeps anything else is a new one each time. */
  readonly unpacked: readonly string[];
  /** Files that hold both what must be written and what would be run: the agent gets a copy. */
  readonly copied: readonly string[];
  /** Scripts of other sessions that are still at work. */
  readonly private: readonly string[];
  /** The variable that puts the first folder elsewhere. */
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

/** Where some agent can write, whichever one is running. */
export function loginFolders(): readonly string[] {
  return Object.values(LOGINS).flatMap(({ folders }) => folders);
}
