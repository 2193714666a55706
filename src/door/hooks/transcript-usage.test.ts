import { describe, expect, it } from 'vitest';
import { transcriptUsage } from './context-alert.ts';

const usage = { input_tokens: 10, cache_read_input_tokens: 200, cache_creation_input_tokens: 3_000, output_tokens: 40_000 };
const answer = (change: object = {}, message: object = {}) =>
  JSON.stringify({ type: 'assistant', isSidechain: false, message: { model: 'm', usage, ...message }, ...change });
const small = { usage: { input_tokens: 1 } };

describe('the tokens of the last request', () => {
  it('include everything that was in the window with its answer', () => {
    expect(transcriptUsage(`${answer()}\n`)).toEqual({ tokens: 43_210, model: 'm' });
  });

  it.each([
    ['of the newest answer', [answer(), answer({}, small)], 1],
    ['not of what comes after it', [answer({}, small), '{"type":"user","message":{"content":"\\"usage\\" \\"assistant\\""}}'], 1],
    ['not of a sub-agent', [answer({}, small), answer({ isSidechain: true })], 1],
    ['not of an error that claude writes as an answer', [answer({}, small), answer({}, { model: '<synthetic>' })], 1],
    ['not of an answer that counts nothing', [answer({}, small), answer({}, { usage: { input_tokens: 0 } })], 1],
    ['not of an answer without numbers', [answer({}, small), answer({}, { usage: { input_tokens: '9', output_tokens: -1 } })], 1],
    ['not of half a line', [answer({}, small), answer().slice(0, -5)], 1],
    ['not of a line whose beginning was cut', [answer().slice(20), answer({}, small)], 1],
  ])('are %s', (_what, lines, tokens) => {
    expect(transcriptUsage(lines.join('\n'))?.tokens).toBe(tokens);
  });

  it.each(['', '\n\n\n', 'no JSON "usage" "assistant"', 'null', '{"type":"assistant","message":null,"x":"usage"}', '[{"usage":"assistant"}]'])(
    'are unknown in %j',
    (text) => {
      expect(transcriptUsage(text)).toBeNull();
    },
  );

  it('are found without the name of the model', () => {
    expect(transcriptUsage(answer({}, { model: undefined }))).toEqual({ tokens: 43_210, model: null });
  });
});
