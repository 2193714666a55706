// Pure tests run without a clock and random numbers: using them throws.
const refuse = (what: string) => () => {
  throw new Error(`${what} is not available in pure code; take it as a parameter`);
};
Date.now = refuse('Date.now');
Math.random = refuse('Math.random');
