/** The number a word writes; any other word stays one, for the schema to refuse. */
export const numeral = (word: string) => (/^-?\d+(\.\d+)?$/.test(word) ? Number(word) : word);
