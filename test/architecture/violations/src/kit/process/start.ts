import { spawn } from 'node:child_process';

export const start = (file: string): unknown => spawn(file);
