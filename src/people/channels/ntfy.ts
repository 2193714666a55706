import { secret, textOrSecret, webAddress } from '../../settings/kinds/setting.ts';
import { bodyText, channel, needsPerson, postJson } from './channel.ts';

export const ntfy = channel({
  about: 'A push message to your phone, by ntfy.sh or an ntfy server of your own.',
  fields: {
    topic: textOrSecret(String.raw`[-\w]{1,64}`, 'the name of a topic').describe(
      'The topic you subscribe to, or where its name is: `env:NAME` or `file:PATH`. On ntfy.sh whoever knows the name can read it.',
    ),
    server: webAddress.describe('Default: `https://ntfy.sh`.').optional(),
    token: secret.describe('Where an access token is, if the server wants one: `env:NAME` or `file:PATH`.').optional(),
  },
  secrets: ['topic', 'server', 'token'],
  deliver: (message, { topic, server = 'https://ntfy.sh', token }) =>
    // As JSON, because as headers the texts could contain more headers.
    postJson(
      server,
      { topic, title: message.title, message: bodyText(message), priority: needsPerson(message) ? 4 : 3 },
      token === undefined ? {} : { authorization: `Bearer ${token}` },
    ),
});
