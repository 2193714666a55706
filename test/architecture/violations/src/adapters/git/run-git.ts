import { start } from '../../kit/process/start.ts';

export const runGit = (): unknown => start('git');
