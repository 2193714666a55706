import { bodyText, channel, needsPerson } from './channel.ts';

/** The texts are arguments of this script, never part of it. */
const APPLE_SCRIPT = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'];

export const desktop = channel({
  about: 'A notification on this desktop, by `notify-send` on Linux and `osascript` on macOS.',
  fields: {},
  secrets: [],
  deliver(message, _options, platform) {
    const { title } = message;
    if (platform === 'darwin') {
      return { via: 'program', file: 'osascript', args: [...APPLE_SCRIPT.flatMap((line) => ['-e', line]), title, bodyText(message)], stdin: '' };
    }
    if (platform === 'win32') return { via: 'nothing', why: 'there is no desktop notification on Windows yet; use notify.command' };
    const urgency = needsPerson(message) ? 'critical' : 'normal';
    return {
      via: 'program',
      file: 'notify-send',
      args: ['--app-name=ralph', `--urgency=${urgency}`, '--', title, withoutMarkup(bodyText(message))],
      stdin: '',
    };
  },
});

/** Many desktops show the body of a notification as a kind of HTML. */
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
