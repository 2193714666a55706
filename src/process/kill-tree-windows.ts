import { spawn } from 'node:child_process';

/** Windows has neither sessions nor signals: taskkill ends a process and its children at once. Not testable here, never run. */
export function killTreeOnWindows(pid: number): void {
  spawn('taskkill', ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore', windowsHide: true }).on('error', () => {});
}
