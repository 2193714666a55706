import { OperatorError } from '../../kit/pure/operator-error.ts';

/** An address like `postgres://user@host:5432/name`. Throws what is none. */
function parsed(url: string): URL {
  try {
    const address = new URL(url);
    if (/^postgres(?:ql)?:$/.test(address.protocol)) return address;
  } catch {
    // Refused below, and never shown: it may contain a password.
  }
  throw new OperatorError('store-address', 'the address of the store does not begin with postgres://', {
    hint: 'Write it like postgres://user@host:5432/database, as --store, RALPH_STORE or store.url.',
    exitCode: 2,
  });
}

const SECRETS = ['password', 'sslpassword'];

/** Without passwords: for people, and for the journal. */
export function shownAddress(url: string): string {
  const address = parsed(url);
  address.password = '';
  for (const name of SECRETS) address.searchParams.delete(name);
  return address.href;
}

export function hasPassword(url: string): boolean {
  const address = parsed(url);
  return address.password !== '' || SECRETS.some((name) => address.searchParams.has(name));
}
