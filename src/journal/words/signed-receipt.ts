import * as z from '../../kit/pure/shape.ts';
import { Receipt } from './receipt.ts';

const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const RECEIPT_TYPE = 'urn:ralph-loop:receipt:v1';

/** What is signed is an in-toto statement. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** A receipt as others can read it: what it is about, and what it says of that. What we do not know in it is left out, as in-toto wants it. */
export const Statement = z.object({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(z.object({ digest: z.object({ gitCommit: z.string().optional(), gitTree: z.string().optional() }) })),
  predicateType: z.literal(RECEIPT_TYPE),
  predicate: Receipt,
});
export type Statement = Readonly<z.infer<typeof Statement>>;

/** A DSSE envelope. The key id is a hint, and nothing is decided by it. */
export const Envelope = z.object({
  payloadType: z.string(),
  /** Base64. */
  payload: z.string(),
  signatures: z.array(z.object({ keyid: z.string().optional(), sig: z.string() })),
});
export type Envelope = Readonly<z.infer<typeof Envelope>>;

/** Null: it names no tree, so there is nothing that a signature could be about. */
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

/** The receipt in a signed text, or in one line why it is none. */
export function receiptIn(json: unknown): Receipt | string {
  const { data, error } = Statement.safeParse(json);
  if (data === undefined) return `its statement has a ${error?.issues[0]?.path.join('.') || 'form'} that no loop writes`;
  const { subject, predicate } = data;
  const isAboutTree = subject.some(({ digest }) => digest.gitTree !== undefined && digest.gitTree === predicate.tree);
  return isAboutTree ? predicate : 'it says to be about other files than those it was written for';
}
