import * as z from '../../kit/pure/shape.ts';
import { Receipt } from './receipt.ts';

const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const RECEIPT_TYPE = 'urn:ralph-loop:receipt:v1';

/** The signed payload is an in-toto statement. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** A receipt that other tools can read: its subject and its claims. Unknown fields are dropped, as in-toto requires. */
export const Statement = z.object({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(z.object({ digest: z.object({ gitCommit: z.string().optional(), gitTree: z.string().optional() }) })),
  predicateType: z.literal(RECEIPT_TYPE),
  predicate: Receipt,
});
export type Statement = Readonly<z.infer<typeof Statement>>;

/** A DSSE envelope. The key id is only a hint. */
export const Envelope = z.object({
  payloadType: z.string(),
  /** Base64. */
  payload: z.string(),
  signatures: z.array(z.object({ keyid: z.string().optional(), sig: z.string() })),
});
export type Envelope = Readonly<z.infer<typeof Envelope>>;

/** Null when the receipt names no tree, so that there is nothing to sign. */
export function statementOf(receipt: Receipt): Statement | null {
  const { commit, tree } = receipt;
  if (tree === null) return null;
  return {
    _type: STATEMENT_TYPE,
    subject: [...(commit === null ? [] : [{ digest: { gitCommit: commit } }]), { digest: { gitTree: tree } }],
    predicateType: RECEIPT_TYPE,
    predicate: receipt,
  };
}

/** The receipt in a signed text, or one line that says why there is none. */
export function receiptIn(json: unknown): Receipt | string {
  const { data, error } = Statement.safeParse(json);
  if (data === undefined) return `its statement has an invalid ${error?.issues[0]?.path.join('.') || 'format'}`;
  const { subject, predicate } = data;
  const isAboutTree = subject.some(({ digest }) => digest.gitTree !== undefined && digest.gitTree === predicate.tree);
  return isAboutTree ? predicate : 'its subject does not name the tree of its receipt';
}
