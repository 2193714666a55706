import { describe, expect, it } from 'vitest';
import { createArgs, DOCKER_SANDBOX, dockerProxyArgs, execArgs, listArgs, removeArgs, SBX, sbxAllowArgs, stopArgs } from './docker-grammar.ts';

const line = (args: readonly string[]) => args.join(' ');

describe('the command lines of sbx', () => {
  it('match its reference pages', () => {
    const request = { name: 'box', template: 'claude', paths: ['/p', '/s'], readOnly: ['/p/.git/hooks'] };
    expect(line(createArgs(SBX, request))).toBe('create --name box claude /p /s /p/.git/hooks:ro');
    expect(line(execArgs(SBX, { name: 'box', command: ['claude', '-p'] }))).toBe('exec -i box claude -p');
    expect(line(listArgs(SBX))).toBe('ls --json');
    expect(line(stopArgs(SBX, 'box'))).toBe('stop box');
    expect(line(removeArgs(SBX, 'box'))).toBe('rm --force box');
    expect(line(sbxAllowArgs('box', ['a.test:443', '*.b.test']))).toBe('policy allow network --sandbox box a.test:443,*.b.test');
  });
});

describe('the command lines of docker sandbox', () => {
  it('match its reference pages', () => {
    const request = { name: 'box', template: 'claude', paths: ['/p', '/s'], readOnly: [] };
    expect(line(createArgs(DOCKER_SANDBOX, request))).toBe('sandbox create --name box claude /p /s');
    const exec = { name: 'box', user: 'root', cwd: '/p', envFile: '/e', command: ['bash', '-s'] } as const;
    expect(line(execArgs(DOCKER_SANDBOX, exec))).toBe('sandbox exec -i -u root -w /p --env-file /e box bash -s');
    expect(line(listArgs(DOCKER_SANDBOX, 'table'))).toBe('sandbox ls');
    expect(line(removeArgs(DOCKER_SANDBOX, 'box'))).toBe('sandbox rm box');
    expect(line(dockerProxyArgs('box', ['a.test', 'b.test']))).toBe('sandbox network proxy box --policy deny --allow-host a.test --allow-host b.test');
  });
});
