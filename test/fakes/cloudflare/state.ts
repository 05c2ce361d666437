import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

export interface Binding {
  type: string;
  name: string;
  [more: string]: unknown;
}

export interface StoredVersion {
  id: string;
  number: number;
  tag: string;
  bindings: Binding[];
}

interface StoredDeployment {
  id: string;
  versions: { version_id: string; percentage: number }[];
  message: string;
}

export interface StoredWorker {
  tag: string;
  versions: StoredVersion[];
  /** Newest first. */
  deployments: StoredDeployment[];
  /** Values by name; the API never shows them. */
  secrets: Record<string, string>;
  migrationTag: string | null;
  crons: string[];
  domains: string[];
}

interface StoredDatabase {
  uuid: string;
  name: string;
  read_replication: { mode: 'auto' | 'disabled' };
  sqlite: DatabaseSync;
}

export interface StoredRule {
  id: string;
  ref?: string;
  [more: string]: unknown;
}

/** A Cloudflare account. */
export class CloudflareState {
  namespaces: { id: string; title: string; values: Record<string, string> }[] = [];
  databases: StoredDatabase[] = [];
  buckets: { name: string; lifecycle: unknown[] }[] = [];
  queues: { queue_id: string; queue_name: string; consumers: Consumer[] }[] = [];
  workers: Record<string, StoredWorker> = {};
  zones = [{ id: 'zone1', name: 'funnel.example' }];
  rules: Record<string, StoredRule[]> = {};
  /** A new account has none. */
  subdomain = '';

  addDatabase(name: string) {
    const database: StoredDatabase = {
      uuid: randomUUID(),
      name,
      read_replication: { mode: 'disabled' },
      sqlite: new DatabaseSync(':memory:'),
    };
    this.databases.push(database);
    return database;
  }
}

export interface Consumer {
  consumer_id: string;
  type: 'worker';
  script: string;
  dead_letter_queue?: string;
  settings: unknown;
}
