import { secret } from '../../settings/kinds/setting.ts';
import { bodyText, channel, postJson } from './channel.ts';

/** Slack looks for mentions, links and formatting in `mrkdwn` texts, and never in `plain_text`. */
const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });

export const slack = channel({
  about: 'A message in Slack, by an incoming webhook.',
  fields: { url: secret.describe("Where the webhook's address is: `env:NAME` or `file:PATH`. Whoever knows the address can post.") },
  secrets: ['url'],
  deliver: (message, { url }) =>
    postJson(url, {
      // For lists and lock screens; Ralph's own words.
      text: message.title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
      blocks: [
        { type: 'header', text: plain(message.title) },
        { type: 'section', text: plain(bodyText(message)) },
      ],
    }),
});
