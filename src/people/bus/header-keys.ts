/** Every header begins with one of them. What else stands in one is left alone. */
const KEYS = ['msg_id', 'ts', 'type', 'project_id', 'task_id', 'run_id', 'issue_id', 'parents', 'links', 'meta'] as const;

/** How a line begins that can only be the first one of a header, when it stands below three dashes. */
export const KEY_LINE = `(?:${KEYS.join('|')}):`;
