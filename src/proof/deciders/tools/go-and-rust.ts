import type { Tool } from './tool.ts';

const GO = ['go.mod', 'go.work'];
const GO_TAGS = ['go:build', '+build'];
/** build.rs is not a decider: most of them are source, and planted failures show what they print. */
const CARGO = ['Cargo.toml', '.cargo/config', '.cargo/config.toml', 'rust-toolchain', 'rust-toolchain.toml'];
/** A changed version, licence or author does not count, see `mixed/sections.ts`. */
const CARGO_SECTIONS = ['lib', 'test', 'bench', 'profile', 'package', 'workspace', 'patch', 'replace', 'lints'];

export const goAndRustTools: readonly Tool[] = [
  {
    name: 'go-test',
    starts: ['go test', 'gotestsum', 'richgo test'],
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
  {
    name: 'cargo-test',
    starts: ['cargo test', 'cargo t', 'cargo nextest', 'cargo llvm-cov', 'cargo tarpaulin'],
    configuration: [...CARGO, '.config/nextest.toml', 'tarpaulin.toml'],
    tests: ['**/tests/**/*.rs'],
    sections: CARGO_SECTIONS,
    suppressions: ['#[ignore', '#[allow(', '#![allow(', '#[cfg(not(test))]', '#[cfg_attr(', '#![cfg(', '#[should_panic', '#[coverage(off'],
    endings: ['rs'],
  },
  {
    name: 'cargo-check',
    starts: ['cargo check', 'cargo c', 'cargo clippy', 'cargo build', 'cargo b', 'cargo fmt', 'rustfmt', 'cargo doc', 'cargo deny'],
    configuration: [...CARGO, 'clippy.toml', '.clippy.toml', 'rustfmt.toml', '.rustfmt.toml', 'deny.toml'],
    tests: [],
    sections: CARGO_SECTIONS,
    suppressions: ['#[allow(', '#![allow(', '#[expect(', '#![expect(', '#[rustfmt::skip', '#![rustfmt::skip', '#[cfg_attr(', '#![cfg('],
    endings: ['rs'],
  },
];
