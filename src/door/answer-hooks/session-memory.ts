/** What is remembered about one session of an agent. */
export interface SessionMemory {
  /** The highest threshold it was alerted about; 0: none. */
  readonly lastAlert: (session: string) => number;
  /** How often in a row it was kept from stopping. */
  readonly blocks: (session: string) => number;
  /** False: the value could not be stored, so the caller must not act on it. */
  readonly keepAlert: (session: string, threshold: number) => boolean;
  readonly keepBlocks: (session: string, blocks: number) => boolean;
  readonly forget: (session: string) => void;
}

/** Far more than one loop has at a time; the oldest is dropped first. */
const MOST_SESSIONS = 200;

/** Session memory that lives as long as its loop. */
export function openSessionMemory(): SessionMemory {
  const sessions = new Map<string, { told: number; blocks: number }>();

  function of(session: string): { told: number; blocks: number } {
    const known = sessions.get(session) ?? { told: 0, blocks: 0 };
    sessions.set(session, known);
    const [oldest] = sessions.keys();
    if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    return known;
  }

  return {
    lastAlert: (session) => sessions.get(session)?.told ?? 0,
    blocks: (session) => sessions.get(session)?.blocks ?? 0,
    keepAlert(session, threshold) {
      of(session).told = threshold;
      return true;
    },
    keepBlocks(session, blocks) {
      of(session).blocks = blocks;
      return true;
    },
    forget: (session) => void sessions.delete(session),
  };
}
