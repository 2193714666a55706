import { secret, webAddress } from '../../settings/kinds/setting.ts';
import { channel, messageJson } from './channel.ts';

export const webhook = channel({
  about: 'A POST of the message as JSON to any address.',
  fields: {
    url: webAddress.describe('The address. If it contains a secret, name where it is: `env:NAME` or `file:PATH`.'),
    secret: secret
      .describe('The key of the signature, as `env:NAME` or `file:PATH`: HMAC-SHA256 over the time, a dot and the body. Without a key Ralph signs nothing.')
      .optional(),
  },
  secrets: ['url', 'secret'],
  deliver: (message, { url, secret: key = null }) => ({ via: 'http', url, headers: {}, body: messageJson(message), signWith: key }),
});
