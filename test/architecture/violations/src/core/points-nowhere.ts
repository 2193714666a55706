import { nothing } from './nothing.ts';

export const trespass = nothing;
