import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { unstable_readConfig as readConfig } from 'wrangler';
import type { Env } from '../../worker/platform/env.ts';
import { forEnvironment, type WorkerConfig } from './resources.ts';
import { varsFileOf } from './vars-file.ts';

export interface Project {
  config: WorkerConfig & { name: string };
  vars: Partial<Env>;
}

/** `wrangler.toml` for an environment. @param environment null for production */
export function projectOf(environment: string | null, folder = '.'): Project {
  const toml = readConfig({ config: join(folder, 'wrangler.toml') }, { hideWarnings: true });
  const file = join(folder, varsFileOf(environment));
  const own = environment !== null && existsSync(file);
  const vars =
    environment === null
      ? toml.vars
      : {
          ENVIRONMENT: toml.vars.ENVIRONMENT,
          ...(own ? readConfig({ config: file }, { hideWarnings: true }).vars : {}),
        };
  const config = forEnvironment(toml, environment, vars);
  return { config: { ...config, name: config.name ?? '' }, vars: vars };
}

/** Writes the configuration with which wrangler finds an environment's KV and databases. @returns the file's path */
export function writeEnvironmentConfig(environment: string): string {
  const { name, kv_namespaces, d1_databases } = projectOf(environment).config;
  const file = join('.cache', `wrangler.${environment}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ name, kv_namespaces, d1_databases }));
  return file;
}

function environmentName(name: string): string {
  if (/^[a-z]{2,20}$/.test(name)) return name;
  throw new InvalidArgumentError('Expected 2 to 20 lowercase letters, such as staging.');
}

export const environmentOption = (): Option =>
  new Option(
    '--env <name>',
    'a separate environment, such as staging; production by default',
  ).argParser(environmentName);
