/** One change to the source, and the test that asks for it. */
export interface Fix {
  readonly test: string;
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

/** All that is wrong with the demo's project, in the order in which each change builds on the one before. */
export const fixes: readonly Fix[] = [
  {
    test: 'reads minutes and hours',
    what: 'read minutes and hours',
    from: `  const [, amount] = /^(\\d+)s$/.exec(text) ?? [];
  return Number(amount);
`,
    to: `  const seconds = { s: 1, m: 60, h: 3600 };
  const [, amount, unit] = /^(\\d+)([smh])$/.exec(text) ?? [];
  return Number(amount) * seconds[unit];
`,
  },
  {
    test: 'adds the parts of 1h30m',
    what: 'add up several parts',
    from: `  const [, amount, unit] = /^(\\d+)([smh])$/.exec(text) ?? [];
  return Number(amount) * seconds[unit];
`,
    to: `  const parts = [...text.matchAll(/(\\d+)([smh])/g)];
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * seconds[unit], 0);
`,
  },
  {
    test: 'refuses what is not a duration',
    what: 'refuse anything else',
    from: '  const parts = ',
    to: `  if (!/^(\\d+[smh])+$/.test(text)) throw new TypeError(\`not a duration: \${text}\`);
  const parts = `,
  },
];
