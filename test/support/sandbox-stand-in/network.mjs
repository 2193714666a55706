import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What sbx calls "balanced" allows what developers usually want; one host stands for all of them. */
const PRESETS = { 'deny-all': { rest: 'deny', allow: [] }, balanced: { rest: 'deny', allow: ['github.com'] }, 'allow-all': { rest: 'allow', allow: [] } };

export const isPreset = (name) => name in PRESETS;

/** `{ rest, allow, deny }` of one machine: rules of the whole computer and of its own. A deny always wins. */
export function policyOf(machines, machine) {
  const preset = PRESETS[machines.globalPolicy()?.preset] ?? { rest: 'allow', allow: [] };
  return { rest: machine.policy.rest ?? preset.rest, allow: [...preset.allow, ...machine.policy.allow], deny: machine.policy.deny };
}

export function isAllowed({ rest, allow, deny }, target) {
  const host = target.replace(/^[a-z]+:\/\//, '').replace(/\/.*$/, '');
  const [name, port = '443'] = host.split(':');
  const matches = (rule) => {
    const [ruleName, rulePort] = rule.split(':');
    if (rulePort !== undefined && rulePort !== port) return false;
    if (!ruleName.startsWith('*.')) return ruleName === name;
    return name.endsWith(ruleName.slice(1)) && !name.slice(0, -ruleName.length + 1).includes('.');
  };
  if (deny.some(matches)) return false;
  return rest === 'allow' || allow.some(matches);
}

/** Whom `curl` inside was refused, in order. */
export function refusedHosts(machines, name) {
  const file = join(machines.placeOf(name), 'root/refused.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}
