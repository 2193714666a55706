export const bounded = (n: number): number => Math.min(n, 10);
