import { describe, expect, it } from 'vitest';
import { secretsIn } from './open-mask.ts';

describe('the secrets of an environment', () => {
  it.each([
    ['ANTHROPIC_API_KEY', 'abcd-efgh-1234'],
    ['GITHUB_TOKEN', 'x1y2z3x1y2z3'],
    ['SECRET_KEY_BASE', 'f00dcafe'.repeat(4)],
    ['DB_PASSWORD', 'correct horse battery staple'],
    ['MYSQL_PWD', 'pa55word!'],
    ['SMTP_PASS', 'pa55word!'],
    ['COMPOSER_AUTH', '{"http-basic":{"host":{"username":"a"}}}'],
    ['npm_config_//registry.example.org/:_authToken', 'abc12345'],
    ['AWS_SECRET_ACCESS_KEY', '/wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'],
    ['API_TOKEN_2', 'abcdefghijklmnopqrstuvwxyz'],
  ])('include the value of %s', (name, value) => expect(secretsIn({ [name]: value })).toEqual([value]));

  it.each([
    ['NODE_ENV', 'production1'],
    ['SESSION_SECRET', 'production'],
    ['USE_TOKEN', 'true'],
    ['API_KEY', 'short'],
    ['GOOGLE_APPLICATION_CREDENTIALS', '/home/x/key.json'],
    ['SSH_KEY', '~/.ssh/id_ed25519'],
    ['SSH_AUTH_SOCK', '/tmp/ssh-Xa12/agent.1'],
    ['WINDOWS_KEY', 'C:\\Users\\me\\key.pem'],
    ['TOKEN_URL', 'https://auth.example.org/token'],
    ['AUTH', 'https://auth.example.org/token'],
    ['MAX_TOKENS', '1000000000'],
    ['GIT_AUTHOR_NAME', 'Ann Example'],
    ['KEYBOARD_LAYOUT', 'de-nodeadkeys'],
    ['DATABASE_URL', 'postgres://localhost:5432/db'],
  ])('do not include the value of %s: %j', (name, value) => expect(secretsIn({ [name]: value })).toEqual([]));

  it('include the passwords in URLs', () => {
    expect(secretsIn({ DATABASE_URL: 'postgres://app:p%40ssw0rd@db:5432/x' })).toEqual(['p%40ssw0rd', 'p@ssw0rd']);
    expect(secretsIn({ DATABASE_URL: 'postgres://postgres:postgres@db/x' })).toEqual([]);
  });
});
