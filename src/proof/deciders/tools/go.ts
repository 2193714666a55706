import type { Tool } from './tool.ts';

const GO = ['go.mod', 'go.work'];
const GO_TAGS = ['go:build', '+build'];

export const goTools: readonly Tool[] = [
  {
    name: 'go-test',
    starts: ['go test', 'gotestsum', 'richgo test'],
    chooses: ['-run', '--run', '-skip', '--skip', '-short', '--short'],
    configuration: GO,
    tests: ['**/*_test.go'],
    suppressions: GO_TAGS,
    endings: ['go'],
    options: ['-exec', '-toolexec', '-overlay', '-modfile'],
  },
  {
    name: 'go-vet',
    starts: ['go vet', 'go build', 'staticcheck', 'gofmt', 'go fmt', 'goimports', 'gofumpt'],
    configuration: [...GO, 'staticcheck.conf'],
    tests: [],
    suppressions: [...GO_TAGS, 'lint:ignore', 'lint:file-ignore', 'nolint'],
    endings: ['go'],
    options: ['-vettool', '-overlay', '-modfile'],
  },
  {
    name: 'golangci-lint',
    starts: ['golangci-lint'],
    configuration: [...GO, '.golangci.*'],
    tests: [],
    suppressions: [...GO_TAGS, 'nolint', 'lint:ignore', 'lint:file-ignore', '#nosec'],
    endings: ['go'],
  },
];
