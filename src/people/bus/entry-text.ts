import type { NewBusMessage } from '../../journal/bus-message.ts';
import { disguised } from './body-text.ts';
import { headerLine } from './header-text.ts';

/** A message to be posted. With `body_base64` those bytes are its body, whatever its text says. */
export interface Posting extends NewBusMessage {
  readonly body_base64?: string;
}

export interface Stamp {
  readonly msg_id: string;
  readonly ts: string;
}

/**
 * An entry as it goes into the file. It begins with a line break of its own, so that one that somebody left half written cannot swallow it;
 * the length of its body stands last in its header, so that a header without it was not written to its end.
 */
export function entryBytes(posting: Posting, { msg_id, ts }: Stamp): Buffer {
  const { type, project_id, task_id, run_id, issue_id, parents, links, meta, body, body_base64 } = posting;
  const { bytes, isChanged } = disguised(body_base64 === undefined ? Buffer.from(body) : Buffer.from(body_base64, 'base64'));
  const header = [
    '\n---\n',
    headerLine('msg_id', msg_id),
    // A time is no text to YAML, and it is one to us.
    `ts: ${ts}\n`,
    headerLine('type', type),
    headerLine('project_id', project_id),
    headerLine('task_id', task_id),
    headerLine('run_id', run_id),
    headerLine('issue_id', issue_id ?? (type === 'ISSUE' ? msg_id : undefined)),
    headerLine('parents', parents),
    headerLine('links', links),
    headerLine('meta', meta),
    headerLine('body_disguised', isChanged ? true : undefined),
    headerLine('body_bytes', bytes.length),
    '---\n',
  ];
  return Buffer.concat([Buffer.from(header.join('')), bytes, NEWLINE]);
}

const NEWLINE = Buffer.from('\n');
