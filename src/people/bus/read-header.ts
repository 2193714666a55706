import type { BusMessage, NewBusMessage } from '../../journal/bus-message.ts';
import { readYamlMap, type Yaml, type YamlMap } from './yaml-subset.ts';

export interface Header {
  readonly message: Omit<BusMessage, 'body' | 'body_base64'>;
  /** Null for an entry that somebody else wrote: its body ends where the next entry begins. */
  readonly bodyBytes: number | null;
  readonly isDisguised: boolean;
}

/** Null for one that says too little: a message needs its id and its type. */
export function readHeader(text: string): Header | null {
  const map = readYamlMap(text);
  const { msg_id, type, ts, project_id, body_bytes, body_disguised } = map;
  if (!isText(msg_id) || !isText(type) || msg_id === '' || type === '') return null;
  if (body_bytes !== undefined && !(isText(body_bytes) && /^\d{1,15}$/.test(body_bytes))) return null;
  return {
    message: { msg_id, ts: isText(ts) ? ts : '', type, project_id: isText(project_id) ? project_id : '', ...optionalParts(map) },
    bodyBytes: body_bytes === undefined ? null : Number(body_bytes),
    isDisguised: body_disguised === 'true',
  };
}

type Optional = Pick<NewBusMessage, 'task_id' | 'run_id' | 'issue_id' | 'parents' | 'links' | 'meta'>;

function optionalParts({ task_id, run_id, issue_id, parents, links, meta }: YamlMap): Optional {
  return {
    ...(isText(task_id) && { task_id }),
    ...(isText(run_id) && { run_id }),
    ...(isText(issue_id) && { issue_id }),
    ...(isList(parents) && { parents: parents.flatMap(parentOf) }),
    ...(isList(links) && { links: links.flatMap(linkOf) }),
    ...(isMap(meta) && { meta: textsOf(meta) }),
  };
}

/** Also as a bare id, as older tools wrote it. */
function parentOf(item: Yaml): NonNullable<NewBusMessage['parents']> {
  if (isText(item)) return [{ msg_id: item }];
  if (!isMap(item)) return [];
  const { msg_id, kind, meta } = item;
  return isText(msg_id) ? [{ msg_id, ...(isText(kind) && { kind }), ...(isMap(meta) && { meta: textsOf(meta) }) }] : [];
}

function linkOf(item: Yaml): NonNullable<NewBusMessage['links']> {
  if (!isMap(item)) return [];
  const { url, label, kind } = item;
  return isText(url) ? [{ url, ...(isText(label) && { label }), ...(isText(kind) && { kind }) }] : [];
}

function textsOf(map: YamlMap): Record<string, string> {
  return Object.fromEntries(Object.entries(map).filter((pair): pair is [string, string] => isText(pair[1])));
}

const isText = (value: Yaml | undefined) => typeof value === 'string';
const isList = (value: Yaml | undefined): value is readonly Yaml[] => Array.isArray(value);
const isMap = (value: Yaml | undefined): value is YamlMap => typeof value === 'object' && !Array.isArray(value);
