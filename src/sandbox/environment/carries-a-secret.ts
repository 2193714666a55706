import { redact } from '../../kit/pure/redact.ts';

/** `AUTHOR` is none; `npm_config_//host/:_authToken` is. */
const SECRET_WORD = /key|token|secret|passw|passphrase|credential|auth(?!or)|cookie|session|signature|(?:^|[_:])(?:pass|pwd|pat|pw)(?:$|_)/i;
/** A token may stand for the user, with no password after it. */
const URL_WITH_USER = /:\/\/[^\s/?#@]+@/;
/** Bundler has the login of each host under its name: `BUNDLE_GEMS__EXAMPLE__COM`. */
const BUNDLERS_HOST = /^BUNDLE_\w+?__\w+$/i;

/** Whether a variable that is of use to all is better kept: by its name, or by what is in it. */
export function carriesASecret(name: string, value: string): boolean {
  return hasSecretName(name) || BUNDLERS_HOST.test(name) || URL_WITH_USER.test(value) || redact(value) !== value;
}

function hasSecretName(name: string): boolean {
  return SECRET_WORD.test(name);
}
