/** Decimal places as Go and C print them: a number exactly half-way goes to the even neighbour, where `toFixed` goes up. */
export function toFixedHalfEven(value: number, places: number): string {
  // Only multiples of 1/2^(places+1) can lie exactly half-way; for those the products below are exact.
  if (!Number.isInteger(value * 2 ** (places + 1))) return value.toFixed(places);
  const scaled = value * 10 ** places;
  const floor = Math.floor(scaled);
  const isTie = scaled - floor === 0.5;
  return isTie && floor % 2 === 0 ? (floor / 10 ** places).toFixed(places) : value.toFixed(places);
}
