import { OperatorError } from '../kit/pure/operator-error.ts';
import { hasPassword } from '../store/postgres/store-address.ts';

/** The variable with the address of the store. It may have a password. */
export const STORE_VARIABLE = 'RALPH_STORE';

interface Said {
  readonly flag: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** `store.url` of the settings. */
  readonly setting: string | undefined;
}

/** The address of the store; null: there is none, and files it is. */
export function storeUrl({ flag, env, setting }: Said): string | null {
  const said = flag ?? env[STORE_VARIABLE] ?? '';
  if (said !== '') return said;
  if (setting === undefined) return null;
  if (!hasPassword(setting)) return setting;
  throw new OperatorError('password-in-settings', 'store.url has a password, and agents can read the settings files', {
    hint: `Leave it out there, and put it into ${STORE_VARIABLE}, PGPASSWORD or ~/.pgpass.`,
    exitCode: 2,
  });
}
