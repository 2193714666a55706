export const trespass = 1;
