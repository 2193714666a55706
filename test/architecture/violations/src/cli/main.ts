import { Command } from 'commander';
import { choose } from '../core/choose.ts';
import type { run } from '../recipes/run.ts';
import { openRun } from '../wiring/open-run.ts';

export const main: [typeof run | undefined, ...unknown[]] = [undefined, Command, choose, openRun];
