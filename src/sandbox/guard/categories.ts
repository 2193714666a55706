/** What the guard looks for, in the order of seed 003. */
export const CATEGORIES = {
  0: "the operator's own list",
  1: 'destructive file operations',
  2: 'disks and boot',
  3: 'resource exhaustion',
  4: 'exfiltration',
  5: 'remote access',
  6: 'secrets',
  7: 'privilege escalation',
  8: 'container escape',
  9: 'supply chain',
  10: 'destructive git',
  11: 'system configuration',
  12: 'obfuscated execution',
  13: 'environment hijack',
  14: 'processes and system',
  15: 'persistence',
  16: 'databases',
  17: 'cloud resources',
  18: 'sensitive paths',
} as const;

export type CategoryNumber = keyof typeof CATEGORIES;
