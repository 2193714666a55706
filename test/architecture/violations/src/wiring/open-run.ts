import { claude } from '../adapters/agents/claude/claude.ts';
import { commit } from '../adapters/git/commit.ts';
import { append } from '../adapters/journal.ts';
import { drive } from '../engine/drive.ts';
import { run } from '../recipes/run.ts';

export const openRun = [claude, commit, append, drive, run];
