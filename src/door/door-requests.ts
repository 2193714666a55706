import type { IncomingMessage, ServerResponse } from 'node:http';

/** What is said through the door, in one piece. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export const refusal = (status: number, error: string): Answer => ({ status, body: { error } });

export type ReadBody = { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'refused'; readonly answer: Answer };

/** A prompt with a book in it; more is no request of ours. */
const LARGEST_BYTES = 8 * 1024 * 1024;

/** Reads a JSON body. One that is too large is read to its end and thrown away as it comes, so that its sender hears why. */
export async function readJsonBody(request: IncomingMessage): Promise<ReadBody> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= LARGEST_BYTES) chunks.push(chunk);
    else chunks = [];
  }
  if (bytes > LARGEST_BYTES) return { kind: 'refused', answer: refusal(413, `the body is larger than ${LARGEST_BYTES} bytes`) };
  try {
    return { kind: 'json', value: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    return { kind: 'refused', answer: refusal(400, 'the body is not JSON') };
  }
}

/** An answer in the words that go over the door. */
export interface SaidAnswer {
  readonly status: number;
  readonly text: string;
}

/** Nothing at all where there is no body. Throws for what is no JSON, or more than fits into one text. */
export function say({ status, body }: Answer): SaidAnswer {
  return { status, text: body === undefined ? '' : `${JSON.stringify(body)}\n` };
}

/** Who asked may be gone. */
export function give(response: ServerResponse, { status, text }: SaidAnswer): void {
  response.on('error', () => undefined);
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}
