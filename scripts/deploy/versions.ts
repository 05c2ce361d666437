import { CommandError } from '../command.ts';
import { type Cloudflare, isNoWorker } from './cloudflare-api.ts';

export interface WorkerVersion {
  id: string;
  /** Counts up from 1. */
  number: number;
  annotations?: { 'workers/tag'?: string };
}

interface Share {
  version_id: string;
  /** 0 to 100. */
  percentage: number;
}

interface Deployment {
  versions: Share[];
}

/** Newest first; empty before the Worker exists. */
async function deploymentsOf(api: Cloudflare, worker: string): Promise<Deployment[]> {
  try {
    const path = `/accounts/workers/scripts/${worker}/deployments`;
    return (await api.get<{ deployments: Deployment[] }>(path)).deployments;
  } catch (error) {
    if (isNoWorker(error)) return [];
    throw error;
  }
}

/** Versions that can still be deployed. */
export async function versionsOf(api: Cloudflare, worker: string): Promise<WorkerVersion[]> {
  const path = `/accounts/workers/scripts/${worker}/versions?deployable=true`;
  return (await api.get<{ items: WorkerVersion[] }>(path)).items;
}

/** The deployed versions: one, or also a newer one for some visitors. */
export type LiveVersions =
  | { kind: 'nothing' }
  | { kind: 'whole'; version: string }
  | { kind: 'split'; newer: string; older: string; percent: number };

export async function liveVersions(api: Cloudflare, worker: string): Promise<LiveVersions> {
  const [latest] = await deploymentsOf(api, worker);
  const [first, second] = latest?.versions ?? [];
  if (!first) return { kind: 'nothing' };
  if (!second) return { kind: 'whole', version: first.version_id };
  const numbers = new Map((await versionsOf(api, worker)).map(({ id, number }) => [id, number]));
  const rank = ({ version_id }: Share) => numbers.get(version_id) ?? 0;
  const [newer, older] = rank(first) > rank(second) ? [first, second] : [second, first];
  return {
    kind: 'split',
    newer: newer.version_id,
    older: older.version_id,
    percent: newer.percentage,
  };
}

/** The version that all visitors had before the live one. @throws CommandError if there is none */
export async function previousVersion(api: Cloudflare, worker: string): Promise<string> {
  const deployments = await deploymentsOf(api, worker);
  const wholes = deployments.flatMap(({ versions }) =>
    versions.length === 1 && versions[0] ? [versions[0].version_id] : [],
  );
  const live = deployments[0]?.versions ?? [];
  const isLive = (id: string) => live.length === 1 && live[0]?.version_id === id;
  const found = wholes.find((id) => !isLive(id));
  if (!found) throw new CommandError('There is no earlier version to roll back to.');
  return found;
}

interface VersionDetail {
  resources: { bindings: { type: string; name: string; text?: string }[] };
}

/** `ACCOUNT_DATABASES` of a version. */
export async function accountDatabasesOf(
  api: Cloudflare,
  worker: string,
  version: string,
): Promise<string> {
  const path = `/accounts/workers/scripts/${worker}/versions/${version}`;
  const { bindings } = (await api.get<VersionDetail>(path)).resources;
  return bindings.find(({ name }) => name === 'ACCOUNT_DATABASES')?.text ?? '';
}
