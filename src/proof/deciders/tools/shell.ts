import type { Tool } from './tool.ts';

export const shellTools: readonly Tool[] = [
  { name: 'make', starts: ['make', 'gmake', 'remake'], configuration: ['Makefile', 'makefile', 'GNUmakefile'], tests: [] },
  {
    name: 'just',
    starts: ['just', 'task'],
    configuration: ['justfile', 'Justfile', '.justfile', '.env', 'Taskfile.{yml,yaml}', 'taskfile.{yml,yaml}'],
    tests: [],
  },
  {
    name: 'docker',
    starts: ['docker', 'docker-compose', 'podman', 'podman-compose'],
    configuration: ['Dockerfile', 'Dockerfile.*', '*.Dockerfile', 'Containerfile', '.dockerignore', '{docker-,}compose*.{yml,yaml}', '.env', 'docker-bake.*'],
    tests: [],
  },
  { name: 'shell', starts: ['sh', 'bash', 'zsh', 'dash', 'ksh', 'busybox sh'], configuration: [], tests: [] },
  {
    name: 'shellcheck',
    starts: ['shellcheck', 'shfmt'],
    configuration: ['.shellcheckrc', 'shellcheckrc', '.editorconfig'],
    tests: [],
    suppressions: ['shellcheck disable'],
    endings: ['sh', 'bash', 'bats', ''],
  },
];
