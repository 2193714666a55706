import { Envelope, Receipt, Statement } from '../../src/journal/words/receipt.ts';

/** The statement in a signed receipt, whoever signed it. */
export function statementIn(text: string): Statement {
  const { payload } = Envelope.parse(JSON.parse(text));
  return Statement.parse(JSON.parse(Buffer.from(payload, 'base64').toString()));
}

/** What a receipt says, signed or not; throws for a text that is none. */
export function receiptFrom(text: string): Receipt {
  return 'payload' in JSON.parse(text) ? statementIn(text).predicate : Receipt.parse(JSON.parse(text));
}
