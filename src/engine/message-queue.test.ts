import { describe, expect, it } from 'vitest';
import { openMessageQueue } from './drive.ts';

const patient = new AbortController().signal;

describe('the message queue', () => {
  it('delivers messages in order, and those posted as first before all others', async () => {
    const mail = openMessageQueue<string>();
    for (const letter of ['report 1', 'report 2']) void mail.post(letter);
    for (const letter of ['drain', 'abort']) void mail.post(letter, 'first');
    const read: (string | undefined)[] = [];
    for (let letters = 0; letters < 4; letters += 1) read.push((await mail.next(patient))?.message);
    expect(read).toEqual(['drain', 'abort', 'report 1', 'report 2']);
  });

  it('tells a writer when the message was handled, not when it was read', async () => {
    const mail = openMessageQueue<string>();
    let answer: boolean | null = null;
    const posted = mail.post('a').then((read) => {
      answer = read;
    });
    const delivery = await mail.next(patient);
    await new Promise(setImmediate);
    expect(answer).toBeNull();
    delivery?.handled();
    await posted;
    expect(answer).toBe(true);
  });

  it('releases its writers and its reader when it is closed, and reports that nobody read the messages', async () => {
    const mail = openMessageQueue<string>();
    const [waiting, urgent] = [mail.post('a'), mail.post('b', 'first')];
    mail.close();
    expect(await Promise.all([waiting, urgent, mail.post('c')])).toEqual([false, false, false]);
    expect(await mail.next(patient)).toBeNull();
  });

  it('returns null to a reader whose signal aborts', async () => {
    expect(await openMessageQueue<string>().next(AbortSignal.abort())).toBeNull();
  });
});
