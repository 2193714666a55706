import { filledText } from '../../settings/kinds/setting.ts';
import { channel, messageJson } from './channel.ts';

/** The variables contain only words of Ralph's own; what an agent printed is in the JSON. */
export const command = channel({
  about: 'Any command. It gets the message as one JSON object on standard input.',
  fields: {
    run: filledText.describe(
      'The shell command. Its variables `RALPH_EVENTS`, `RALPH_RUN`, `RALPH_RECIPE` and `RALPH_TITLE` contain nothing that an agent printed. Ralph ends it after 10 seconds.',
    ),
  },
  secrets: [],
  deliver(message, { run }) {
    const { events, recipe, title } = message;
    return {
      via: 'shell',
      line: run,
      env: { RALPH_EVENTS: events.join(','), RALPH_RUN: message.run, RALPH_RECIPE: recipe, RALPH_TITLE: title },
      stdin: `${messageJson(message)}\n`,
    };
  },
});
