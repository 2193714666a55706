import type { WallCall } from '../../engine/ports/wall.ts';

interface Surroundings {
  readonly agentKind: string;
  readonly isRoot: boolean;
  /** Where the proxy is offered inside; null: there is no network. */
  readonly proxyPort: number | null;
}

/** The environment of the call, and what it must know of the wall. It is handed through by every process between, so that no command line shows it. */
export function wallEnvironment({ env, who }: Pick<WallCall, 'env' | 'who'>, { agentKind, isRoot, proxyPort }: Surroundings): Readonly<Record<string, string>> {
  return {
    ...env,
    TMPDIR: '/tmp',
    ...(proxyPort === null ? {} : proxyVariables(proxyPort)),
    // As root it works without questions only where it is told that a wall stands around it.
    ...(who === 'agent' && agentKind === 'claude' && isRoot ? { IS_SANDBOX: '1' } : {}),
  };
}

/** Some read the small, some the capital letters. What listens inside is reached without the proxy. */
export function proxyVariables(port: number): Readonly<Record<string, string>> {
  const pairs = [
    ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [name, `http://127.0.0.1:${port}`] as const),
    ['NO_PROXY', 'localhost,127.0.0.1,::1'] as const,
  ];
  return Object.fromEntries(pairs.flatMap(([name, value]) => [[name, value] as const, [name.toLowerCase(), value] as const]));
}
