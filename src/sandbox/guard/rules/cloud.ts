import { block, type Objection, type Rule, warn } from '../rule.ts';
import type { Step } from '../step.ts';

const LEAVE = 'This changes what runs for others and may cost money; leave it to the operator.';

/** Each tool with the arguments that delete things, or change them without confirmation. */
const BLOCKED: Readonly<Record<string, RegExp>> = {
  terraform: /^(destroy\b|apply\b.*(-auto-approve|--auto-approve|-destroy)|state (rm|push)|workspace delete|force-unlock|taint)/,
  tofu: /^(destroy\b|apply\b.*(-auto-approve|--auto-approve|-destroy)|state (rm|push)|workspace delete)/,
  terragrunt: /(^| )(destroy|run-all (apply|destroy)|apply-all|destroy-all)\b|^apply\b.*auto-approve/,
  pulumi: /^(destroy|stack rm|up\b.*(--yes|-y\b|--skip-preview))/,
  cdk: /^destroy\b|^deploy\b.*--require-approval[ =]never/,
  cdktf: /^destroy\b/,
  serverless: /^remove\b/,
  sls: /^remove\b/,
  sam: /^delete\b/,
  amplify: /^delete\b/,
  copilot: /(^| )delete\b/,
  eb: /^terminate\b/,
  aws: /^\S+ (delete|terminate|remove|deregister|purge|revoke|disable|reset|detach|release|cancel|stop|reboot|schedule-key-deletion)[\w-]*|^s3 (rm|rb)\b|^s3 sync .*--delete|^s3 mv\b|^s3api (delete|put-bucket-(policy|acl))|^iam (create|attach|put|update|add)|^organizations|--no-deletion-protection|^route53 change-/,
  az: /(^| )(delete|purge|remove|deallocate)(?= |$)/,
  gcloud: /(^| )(delete|remove-iam-policy-binding|add-iam-policy-binding|reset|destroy)(?= |$)|^storage rm\b/,
  gsutil: /(^| )(rm|rb)\b|rsync .*-d\b|^iam /,
  bq: /(^| )rm\b/,
  kubectl: /^(delete|drain|cordon|taint)(?= |$)|^replace\b.*--force|^scale\b.*--replicas[ =]0/,
  oc: /^(delete|drain|cordon|taint)(?= |$)|^adm (drain|cordon|prune)/,
  helm: /^(uninstall|delete|del|un)\b|^rollback\b/,
  helmfile: /(^| )(destroy|delete)\b/,
  eksctl: /^delete\b/,
  kops: /^delete\b/,
  doctl: /(^| )(delete|destroy|rm)\b/,
  heroku: /(^| )(\w+:)?(destroy|pg:reset|apps:delete)\b|pg:reset/,
  fly: /(^| )destroy\b/,
  flyctl: /(^| )destroy\b/,
  vercel: /^(rm|remove|env rm|project rm|domains rm|teams)\b/,
  netlify: /:delete\b/,
  firebase: /(^| )\S*:(delete|disable)\b|projects:delete/,
  gh: /^(repo (delete|archive)|release delete|secret (set|delete|remove)|api .*(-X|--method)[ =]?(DELETE|PUT|POST|PATCH)|run delete|ssh-key (add|delete)|workflow disable|variable delete)/,
  glab: /^(repo|project) delete\b/,
  linode: /(^| )(delete|rebuild)\b/,
  'linode-cli': /(^| )(delete|rebuild|rm)\b/,
  hcloud: /(^| )delete\b/,
  scw: /(^| )(delete|terminate)\b/,
  ibmcloud: /(^| |-)(delete|rm)\b/,
  supabase: /(^| )(delete|remove)(?= |$)/,
  wrangler: /(^| )delete\b/,
  railway: /^(down|delete)\b/,
  nomad: /(^| )(stop|purge)\b/,
  consul: /^kv delete\b/,
  vault: /(^| )(delete|destroy|disable)\b/,
  ansible: /(^| )-m (shell|command|raw)\b/,
};

/** Single pods are only warned about, because the cluster restarts them. */
const WARNED: Readonly<Record<string, RegExp>> = {
  terraform: /^apply\b|^import\b/,
  tofu: /^apply\b/,
  pulumi: /^up\b/,
  kubectl: /^(apply|create|patch|edit|rollout|scale|set)(?= |$)/,
  helm: /^(install|upgrade)\b/,
  aws: /^s3 (cp|sync)\b/,
  'ansible-playbook': /^/,
  cdk: /^deploy\b/,
  vercel: /--prod\b/,
  gh: /^(release create|pr merge|workflow run|repo create)/,
};

const POD = /^delete (pods?|po|job|jobs)[ /](?!.*(--all\b|-A\b))/;

/** Options of the tools themselves that take the next word as their value. They may come before the subcommand. */
const WITH_VALUE = new Set([
  ...['-n', '-c', '-s', '-g', '-a', '--namespace', '--context', '--kubeconfig', '--cluster', '--user', '--server', '--token', '--as'],
  ...['--profile', '--region', '--output', '--endpoint-url', '--query', '--ca-bundle', '--cli-connect-timeout', '--cli-read-timeout', '--color'],
  ...['--project', '--account', '--configuration', '--format', '--verbosity', '--impersonate-service-account', '--zone', '--filter'],
  ...['--subscription', '--resource-group', '--kube-context', '--app', '--remote', '--org', '--access-token', '--team', '--scope', '--stack', '--cwd', '-C'],
  ...['--var-file', '--stage', '-l', '--selector', '--field-selector', '--repo', '-R', '--hostname'],
]);

/** The arguments of a tool without its own options, so that the subcommand comes first. */
function wordsOf(args: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (WITH_VALUE.has(word)) at += 1;
    else if (!(word.startsWith('-') && words.length === 0) && !WITH_VALUE.has(word.split('=', 1)[0] ?? '')) words.push(word);
  }
  return words[0] === 'delete' ? words.filter((word) => !word.startsWith('-') || /^(--all|-A)\b/.test(word)) : words;
}

function lookAtCloud({ name, args }: Step): Objection | null {
  const line = wordsOf(args).join(' ');
  if (args.some((word) => /^--?dry-?run(=(client|server|true))?$|^--dryrun$|^--help$|^-h$/.test(word))) return null;
  if (name === 'kubectl' && POD.test(line)) return warn('This ends something that runs for others.');
  if (BLOCKED[name]?.test(line) === true) return block(LEAVE);
  return WARNED[name]?.test(line) === true ? warn('This changes what runs for others.') : null;
}

export const CLOUD: readonly Rule[] = [
  { id: 'takes-away-what-runs-for-others', category: 17, names: [...new Set([...Object.keys(BLOCKED), ...Object.keys(WARNED)])], look: lookAtCloud },
];
