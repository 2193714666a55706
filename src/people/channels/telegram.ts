import { secret, textOrSecret, webAddress } from '../../settings/kinds/setting.ts';
import { bodyText, channel, postJson } from './channel.ts';

export const telegram = channel({
  about: 'A message of your Telegram bot.',
  fields: {
    token: secret.describe("Where the bot's token is: `env:NAME` or `file:PATH`."),
    chat: textOrSecret(String.raw`@\w+|-?\d+`, 'the id of a chat such as "-100123" or "@channel_name"').describe('The chat it writes to.'),
    api: webAddress.describe('The address of a Bot API server of your own. Default: `https://api.telegram.org`.').optional(),
  },
  secrets: ['token', 'chat', 'api'],
  deliver(message, { token, chat, api = 'https://api.telegram.org' }) {
    const body = bodyText(message);
    return postJson(`${api.replace(/\/+$/, '')}/bot${token}/sendMessage`, {
      chat_id: chat,
      text: `${message.title}\n${body}`,
      // In preformatted text Telegram looks for no mentions, links or commands.
      entities: [{ type: 'pre', offset: message.title.length + 1, length: body.length }],
      link_preview_options: { is_disabled: true },
    });
  },
});
