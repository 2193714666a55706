import { spawn } from 'node:child_process';

export const trespass = spawn;
