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

/** Known from their documentation only: they were never run against cheats. */
export const documentedTools: readonly Tool[] = [
  {
    name: 'rspec',
    starts: ['rspec', 'rake spec', 'rails spec'],
    configuration: ['.rspec', 'Rakefile', '.simplecov', 'spec_helper.rb', 'rails_helper.rb'],
    tests: ['**/*_spec.rb'],
    suppressions: [':nocov:'],
    endings: ['rb'],
    options: ['-I', '--options', '-O'],
  },
  {
    name: 'phpunit',
    starts: ['phpunit', 'pest', 'composer test', 'composer run', 'php artisan test'],
    configuration: ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml', 'Pest.php', 'composer.json'],
    tests: ['**/*Test.php', '**/*.phpt'],
    keys: ['scripts', 'config'],
    suppressions: ['@codeCoverageIgnore'],
    endings: ['php'],
    options: ['--bootstrap', '--extension'],
  },
  {
    name: 'maven',
    starts: ['mvn', 'mvnw', 'mvnd'],
    configuration: ['pom.xml', '.mvn/**', 'mvnw', 'junit-platform.properties', 'META-INF/services/org.junit.*', 'testng.xml'],
    tests: ['**/{Test*,*Test,*Tests,*TestCase,*IT}.{java,kt,groovy,scala}'],
    options: ['--settings', '-s', '--file', '-f'],
  },
  {
    name: 'gradle',
    starts: ['gradle', 'gradlew'],
    configuration: [
      '*.gradle',
      '*.gradle.kts',
      'gradle.properties',
      'gradle/**',
      'gradlew',
      'buildSrc/**',
      'junit-platform.properties',
      'META-INF/services/org.junit.*',
    ],
    tests: ['**/src/*{test,Test}/**/*.{java,kt,groovy,scala}'],
    options: ['--init-script', '-I', '--build-file', '-b', '--settings-file'],
  },
  {
    name: 'dotnet',
    starts: ['dotnet test', 'dotnet build', 'dotnet format', 'dotnet run'],
    configuration: [
      '*.{cs,fs,vb}proj',
      '*.sln',
      '*.slnx',
      'Directory.*.{props,targets}',
      '*.runsettings',
      'global.json',
      'xunit.runner.json',
      '.editorconfig',
      'NuGet.Config',
      'nuget.config',
    ],
    tests: ['**/*{Test,Tests}.{cs,fs,vb}', '**/*{.,}{Test,Tests}/**/*.{cs,fs,vb}'],
    suppressions: ['#pragma warning disable', 'ReSharper disable'],
    endings: ['cs', 'fs', 'vb'],
    options: ['--settings', '-s'],
  },
  { name: 'bats', starts: ['bats'], configuration: ['setup_suite.bash'], tests: ['**/*.bats'] },
];
