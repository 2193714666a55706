import { codex } from '../codex/codex.ts';

export const trespass = codex;
