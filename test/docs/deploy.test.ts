import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { skipLoudly } from '../support/skip-loudly.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';
import { projectRoot } from './project-files.ts';

const folder = join(projectRoot, 'deploy');
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
const documentsIn = (name: string) =>
  parseAllDocuments(textOf(name), { merge: true }).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
const answerOf = (file: string, ...args: readonly string[]) => {
  const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: 'utf8', cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...VARIABLES } });
  return { code: error ? null : status, said: `${stdout}${stderr}` };
};
const VARIABLES = { HOME: '/nowhere', RALPH_REMOTE: 'git@h:p.git', RALPH_PLAN: 'plan.yaml', POSTGRES_PASSWORD: 'x' };
const missing = (what: string, file: string, ...args: readonly string[]) => skipLoudly(answerOf(file, ...args).code === 0 ? null : `${what} here`, 'skip');

describe('the Compose file', () => {
  it('has a store with a health check, an init that ends, and two workers after both', () => {
    const [{ services, volumes } = {}] = documentsIn('compose.yaml');
    expect(Object.keys(services)).toEqual(['store', 'init', 'worker']);
    expect(services.init).toMatchObject({ command: ['init'], depends_on: { store: { condition: 'service_healthy' } } });
    expect(services.worker).toMatchObject({ deploy: { replicas: 2 }, depends_on: { init: { condition: 'service_completed_successfully' } } });
    expect(services.store.healthcheck.test[0]).toBe('CMD');
    expect(volumes).toHaveProperty('store');
    expect(services.worker.build.dockerfile).toBe('deploy/Dockerfile');
  });

  it.skipIf(missing('no docker compose', 'docker', 'compose', 'version'))('is one that docker compose reads', () => {
    expect(answerOf('docker', 'compose', '-f', 'compose.yaml', 'config', '--quiet')).toEqual({ code: 0, said: '' });
  });
});

describe('the Kubernetes manifests', () => {
  it('have no secret in them, run nothing as root, and mount only volumes that they have', () => {
    const all = documentsIn('kubernetes/fleet.yaml');
    expect(all.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`)).toEqual([
      'v1 ConfigMap ralph',
      'batch/v1 Job ralph-init',
      'batch/v1 Job ralph-plan',
    ]);
    const [{ services }] = documentsIn('compose.yaml');
    expect(all[2].spec.template.spec.containers[0].args).toEqual(services.worker.command);
    for (const { spec } of all.filter(({ kind }) => kind === 'Job')) {
      const pod = spec.template.spec;
      expect(['Never', 'OnFailure']).toContain(pod.restartPolicy);
      expect(pod.securityContext.runAsNonRoot).toBe(true);
      expect(pod.automountServiceAccountToken).toBe(false);
      for (const { env, volumeMounts } of pod.containers) {
        expect(env.every((one: object) => !('value' in one) && 'valueFrom' in one)).toBe(true);
        const known = pod.volumes.map(({ name }: { name: string }) => name);
        expect(volumeMounts.filter(({ name }: { name: string }) => !known.includes(name))).toEqual([]);
      }
    }
  });

  it('have a Deployment with the pods of the Job, which only come back when they have ended', () => {
    const [{ apiVersion, kind, spec }] = documentsIn('kubernetes/workers.yaml');
    expect([apiVersion, kind, spec.replicas]).toEqual(['apps/v1', 'Deployment', 3]);
    expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
    const [, , job] = documentsIn('kubernetes/fleet.yaml');
    expect(spec.template.spec).toEqual({ ...job.spec.template.spec, restartPolicy: 'Always' });
  });

  it.skipIf(missing('no kubectl', 'kubectl', 'kustomize', 'kubernetes'))('are what kubectl builds', () => {
    const { code, said } = answerOf('kubectl', 'kustomize', 'kubernetes');
    expect({ code, jobs: said.match(/^kind: Job$/gm) }).toEqual({ code: 0, jobs: ['kind: Job', 'kind: Job'] });
  });
});

describe('the systemd unit', () => {
  it.skipIf(missing('no systemd-analyze', 'systemd-analyze', '--version'))('is one that systemd accepts, without a word', async () => {
    await using throwAway = await openThrowAwayFolder();
    const unit = join(throwAway.path, 'ralph-worker@project.service');
    copyFileSync(join(folder, 'ralph-worker@.service'), unit);
    expect(answerOf('systemd-analyze', 'verify', '--man=no', unit)).toEqual({ code: 0, said: '' });
  });

  it('starts the same script as the image, with no flag that ralph work does not know', () => {
    expect(textOf('Dockerfile')).toContain('COPY deploy/worker.sh /usr/local/bin/ralph-worker');
    expect(textOf('ralph-worker@.service')).toMatch(/^ExecStart=\/usr\/bin\/env ralph-worker --agent claude --workers 1$/m);
    expect(answerOf('sh', '-n', 'worker.sh')).toEqual({ code: 0, said: '' });
  });
});
