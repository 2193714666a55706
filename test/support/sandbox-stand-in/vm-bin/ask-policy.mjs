import { appendFileSync, readFileSync } from 'node:fs';

const policy = JSON.parse(readFileSync('/run/policy.json', 'utf8'));
const host = new URL(process.argv[2] ?? '').hostname;
const matches = (rule) => {
  const name = rule.replace(/:\d+$/, '');
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) : name === host;
};
const isAllowed = !policy.deny.some(matches) && (policy.rest === 'allow' || policy.allow.some(matches));
if (isAllowed) process.stdout.write(`200 from ${host}\n`);
else {
  appendFileSync('/refused.txt', `${host}\n`);
  process.stderr.write('curl: (56) CONNECT tunnel failed, response 403\n');
}
process.exitCode = isAllowed ? 0 : 56;
