/** Decimal places as Go and C print them: a number exactly half-way goes to the even neighbour, where `toFixed` goes away from zero. */
export function toFixedHalfEven(value: number, places: number): string {
  // Only multiples of 1/2^(places+1) can lie exactly half-way; for those the product below is exact.
  if (!Number.isInteger(value * 2 ** (places + 1))) return value.toFixed(places);
  const scaled = value * 10 ** places;
  const below = Math.floor(scaled);
  if (scaled - below !== 0.5) return value.toFixed(places);
  const even = below % 2 === 0 ? below : below + 1;
  return (even / 10 ** places).toFixed(places);
}
