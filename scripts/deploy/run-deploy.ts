import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../worker/platform/env.ts';
import { missingApp } from '../../worker/rendering/app-links.ts';
import { missingAddresses, missingFacts } from '../../worker/rendering/company-facts.ts';
import { CommandError } from '../command.ts';
import { refuseBrokenPayments } from '../refuse-payments.ts';
import { errorMessage, type Run } from '../wrangler.ts';
import type { Cloudflare } from './cloudflare-api.ts';
import { type Project, projectOf } from './environment.ts';
import { changesFor, showChanges } from './planned-changes.ts';
import { forEnvironment, type ResourceIds, withIds } from './resources.ts';
import { deployToAll, type Rollout, rollOut } from './rollout.ts';
import { collectSecrets, type MissingSecret } from './secrets.ts';
import { deployWhole, tagOf, uploadVersion } from './upload.ts';
import { ensureAffinity } from './version-affinity.ts';
import {
  accountDatabasesOf,
  type LiveVersions,
  liveVersions,
  previousVersion,
} from './versions.ts';

export interface Tools {
  api: Cloudflare;
  run: Run;
  print: (line: string) => void;
  /** Asks for a secret; null without a terminal. */
  ask: ((secret: MissingSecret) => Promise<string>) | null;
  /** Values from the file of `--secrets`. */
  given: Readonly<Record<string, string>>;
  /** Creates `dist`. @param site origin of the live site; null before the first deploy */
  build: (live: { configuration: LiveDocuments; site: string | null }) => Promise<void>;
  rollout: (about: { site: string; worker: string }) => Omit<Rollout, 'wrangler' | 'print'>;
  /** Problems reported by the deployed site's `/healthz`. */
  problems: (site: string) => Promise<string[]>;
  folder: string;
  dist: string;
}

/** Text of the two documents in KV; null for a missing one. */
export type LiveDocuments = Record<'config.json' | 'flows.json', string | null>;

function warnAbout(vars: Partial<Env>, print: Tools['print']): void {
  const warn = (what: string, missing: string[]) => {
    if (missing.length > 0) print(`${what}. Set in [vars]: ${missing.join(', ')}.`);
  };
  warn('Legal pages lack facts', missingFacts(vars));
  warn('Legal links lead to the built-in pages', missingAddresses(vars));
  warn('Links to the app cannot open the app or its store', missingApp(vars));
}

/** Links in e-mails would follow a request's `Host`, which anybody may write. @throws CommandError */
export function siteOf({ config, vars }: Project): string {
  const url = URL.parse(vars.SITE_URL ?? '');
  if (url?.protocol !== 'https:')
    throw new CommandError(
      `Set SITE_URL in [vars] to the https address of the site, for links in e-mails: a domain of your account, or https://${config.name}.SUBDOMAIN.workers.dev.`,
    );
  const { host, origin } = url;
  if (host.endsWith('.workers.dev') && !host.startsWith(`${config.name}.`))
    throw new CommandError(`SITE_URL is ${origin}, but the Worker is called ${config.name}.`);
  return origin;
}

async function liveConfiguration(api: Cloudflare, ids: ResourceIds): Promise<LiveDocuments> {
  const read = (key: string) =>
    api.text(`/accounts/storage/kv/namespaces/${ids.kv.FUNNEL}/values/${key}`);
  return { 'config.json': await read('config.json'), 'flows.json': await read('flows.json') };
}

/** @param more arguments of each call @throws CommandError with wrangler's error message */
const checked =
  (run: Run, ...more: string[]) =>
  async (args: string[]) => {
    const result = await run([...args, ...more]);
    if (result.code === 0) return result;
    const message = errorMessage(result.stderr + result.stdout);
    throw new CommandError(`wrangler ${args.slice(0, 2).join(' ')} failed: ${message}`);
  };

/** Writes the configuration that wrangler deploys: the build's, for the environment, with the ids of its resources. */
function writeConfig(project: Project, environment: string | null, ids: ResourceIds, dist: string) {
  const built = JSON.parse(readFileSync(join(dist, 'worker/wrangler.json'), 'utf8'));
  const {
    configPath: _c,
    userConfigPath: _u,
    topLevelName: _t,
    definedEnvironments: _d,
    ...rest
  } = built;
  const file = join(dist, 'worker/deploy.json');
  const config = withIds(forEnvironment(rest, environment, { ...project.vars }), ids);
  writeFileSync(file, JSON.stringify(config, null, 2));
  return file;
}

export interface DeployOptions {
  /** Null for production. */
  environment: string | null;
  plan: boolean;
  staged: boolean;
}

const countsIn = (text: string) => text.split(',').flatMap((count) => count.trim() || []);

/** @throws CommandError for a change that would lose accounts */
async function checkAccountDatabases(
  { vars, config }: Project,
  live: Exclude<LiveVersions, { kind: 'nothing' }>,
  staged: boolean,
  api: Cloudflare,
): Promise<void> {
  const version = live.kind === 'split' ? live.older : live.version;
  const before = countsIn(await accountDatabasesOf(api, config.name, version));
  const after = countsIn(vars.ACCOUNT_DATABASES ?? '');
  if (before.some((count, index) => count !== after[index]))
    throw new CommandError(
      `ACCOUNT_DATABASES is ${before.join(',')} on the site. Add a larger count behind it; change nothing else.`,
    );
  if (staged && after.length > before.length)
    throw new CommandError(
      'The previous version would not find accounts in the new databases. Deploy them without --staged.',
    );
}

/** Creates missing resources, asks for secrets, builds, migrates, deploys. A second run continues after a failure. */
export async function deploy(options: DeployOptions, tools: Tools): Promise<void> {
  const { environment, plan, staged } = options;
  const { api, run, print, dist } = tools;
  const project = projectOf(environment, tools.folder);
  const worker = project.config.name;
  const address = siteOf(project);
  warnAbout(project.vars, print);
  refuseBrokenPayments(project.vars, 'deployed');
  const live = await liveVersions(api, worker);
  if (live.kind === 'split' && !staged && !plan) {
    throw new CommandError(
      `${live.percent} % of the visitors have a newer version. Continue with --staged, or go back with --rollback.`,
    );
  }
  if (live.kind !== 'nothing') await checkAccountDatabases(project, live, staged, api);
  const changes = await changesFor(project, tools);
  showChanges(changes, print);
  print(
    `Worker  ${worker}  ${live.kind === 'nothing' ? 'will be created' : 'will get a new version'}`,
  );
  if (plan) return;

  const isContinued = live.kind === 'split';
  const secrets = isContinued ? {} : await collectSecrets(changes.secrets, tools);
  for (const { kind, name, exists, create } of changes.resources) {
    if (exists) continue;
    await create();
    print(`Created ${kind} ${name}.`);
  }
  const site = live.kind === 'nothing' ? null : address;
  if (staged && site !== null) await ensureAffinity(api, site);
  if (!isContinued || !existsSync(join(dist, 'worker/wrangler.json'))) {
    await tools.build({ configuration: await liveConfiguration(api, changes.ids), site });
  }
  const wrangler = checked(run, '--config', writeConfig(project, environment, changes.ids, dist));
  for (const database of new Set(changes.migrations.map((each) => each.database))) {
    await wrangler(['d1', 'migrations', 'apply', database, '--remote']);
    print(`Migrated ${database}.`);
  }
  if (live.kind === 'nothing' || !staged || site === null) {
    if (staged) print('There is no earlier version, so all visitors get this one.');
    await deployWhole(wrangler, secrets, await tagOf(dist, secrets));
  } else {
    const version =
      live.kind === 'split'
        ? live.newer
        : await uploadVersion({ wrangler, api, worker }, secrets, await tagOf(dist, secrets));
    await rollOut({ ...tools.rollout({ site, worker }), wrangler, print }, version, live);
    await wrangler(['triggers', 'deploy']);
  }
  print(`Deployed: ${address}`);
  for (const problem of await tools.problems(address)) print(`Not ready: ${problem}.`);
}

/** Gives the previous version to all visitors; ends a rollout. Data is not rolled back. */
export async function rollBack(
  environment: string | null,
  { api, run, print, folder }: Pick<Tools, 'api' | 'run' | 'print' | 'folder'>,
): Promise<void> {
  const { config } = projectOf(environment, folder);
  const live = await liveVersions(api, config.name);
  const version = live.kind === 'split' ? live.older : await previousVersion(api, config.name);
  const current = live.kind === 'whole' ? live.version : version;
  const [before, now] = await Promise.all(
    [version, current].map((one) => accountDatabasesOf(api, config.name, one)),
  );
  if (before !== now)
    throw new CommandError(
      'The previous version does not have the account databases added since, and would lose accounts.',
    );
  const wrangler = checked(run, '--name', config.name);
  await deployToAll({ wrangler }, version, 'rolled back by hand');
  print(`All visitors get version ${version}.`);
}
