import type { Tool } from './tool.ts';

/** build.rs is not a decider: most of them are source, and planted failures show what they print. */
const CARGO = ['Cargo.toml', '.cargo/config', '.cargo/config.toml', 'rust-toolchain', 'rust-toolchain.toml'];
/** A changed version, licence or author does not count, see `mixed/split-mixed.ts`. */
const CARGO_SECTIONS = ['lib', 'test', 'bench', 'profile', 'package', 'workspace', 'patch', 'replace', 'lints'];

export const rustTools: readonly Tool[] = [
  {
    name: 'cargo-test',
    starts: ['cargo test', 'cargo t', 'cargo nextest', 'cargo llvm-cov', 'cargo tarpaulin'],
    choosesByWord: true,
    chooses: ['-E', '--filter-expr', '--filterset', '--doc'],
    configuration: [...CARGO, '.config/nextest.toml', 'tarpaulin.toml'],
    tests: ['**/tests/**/*.rs'],
    sections: CARGO_SECTIONS,
    suppressions: ['#[ignore', '#[allow(', '#![allow(', '#[cfg(not(test))]', '#[cfg_attr(', '#![cfg(', '#[should_panic', '#[coverage(off'],
    endings: ['rs'],
  },
  {
    name: 'cargo-check',
    starts: ['cargo check', 'cargo c', 'cargo clippy', 'cargo build', 'cargo b', 'cargo fmt', 'rustfmt'],
    configuration: [...CARGO, 'clippy.toml', '.clippy.toml', 'rustfmt.toml', '.rustfmt.toml'],
    tests: [],
    sections: CARGO_SECTIONS,
    suppressions: ['#[allow(', '#![allow(', '#[expect(', '#![expect(', '#[rustfmt::skip', '#![rustfmt::skip', '#[cfg_attr(', '#![cfg('],
    endings: ['rs'],
  },
  // An error in a source does not turn them red.
  { name: 'cargo-other', starts: ['cargo doc', 'cargo deny', 'cargo audit'], configuration: [...CARGO, 'deny.toml'], tests: [], sections: CARGO_SECTIONS },
];
