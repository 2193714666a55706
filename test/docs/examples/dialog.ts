import { openPty } from '../../support/pty.ts';
import { whyNotShown } from './matches.ts';

interface Where {
  readonly cwd: string;
  readonly beside: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Every question of ours ends so. The text after it is the typed answer. */
const QUESTION = /^(?<prompt>.*?[)\]]:)(?: (?<answer>.*))?$/;

/** Answers at a real terminal as in the block. Returns how the screen differs from the block, or null. */
export async function playDialog([typed = '', ...shown]: readonly string[], where: Where): Promise<string | null> {
  const [, ...args] = typed.replace('$ ', '').split(' ');
  await using pty = openPty(args, where);
  for (const line of shown) {
    const { prompt, answer = '' } = QUESTION.exec(line)?.groups ?? {};
    if (prompt !== undefined) await pty.answer(`${prompt} `, answer);
  }
  const code = await pty.exitCode();
  return code === 0 ? whyNotShown(shown, pty.screen()) : `ended with code ${code}:\n${pty.screen()}`;
}
