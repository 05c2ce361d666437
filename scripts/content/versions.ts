import type { Kv } from '../kv-client.ts';

/** A publication: when, by whom, and the names of its documents. */
export interface Version {
  /** Ms since 1970. */
  timestamp: number;
  who: string;
  files: string[];
}

const prefix = 'content/';

/** All that was published, newest first. */
export async function versionsOf(kv: Kv): Promise<Version[]> {
  const versions = new Map<number, Version>();
  for (const { name, metadata } of await kv.list(prefix)) {
    const [at = '', file] = name.slice(prefix.length).split('/');
    if (!file) continue;
    const timestamp = Number(at);
    const { who = 'somebody' } = (metadata ?? {}) as { who?: string };
    const version = versions.get(timestamp) ?? { timestamp, who, files: [] };
    version.files.push(file);
    versions.set(timestamp, version);
  }
  return [...versions.values()].sort((a, b) => b.timestamp - a.timestamp);
}
