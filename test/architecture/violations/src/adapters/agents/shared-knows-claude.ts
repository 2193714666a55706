import { claude } from './claude/claude.ts';

export const trespass = claude;
