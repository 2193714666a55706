/** Words for canaries, the same ones in every run: 12 lower-case letters and digits, none twice. */
export function freshTokens(): () => string {
  let made = 0;
  return () => {
    made += 1;
    return `${made.toString(36).padStart(4, 'k')}z9y8x7w6`;
  };
}
