// Pure tests run without a clock and without dice: whoever asks for them fails at once.
const refuse = (what: string) => () => {
  throw new Error(`${what} is not available in pure code; take it as a parameter`);
};
Date.now = refuse('Date.now');
Math.random = refuse('Math.random');
