import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { R2Bucket } from '@cloudflare/workers-types';
import { getPlatformProxy } from 'wrangler';
import { nameIn } from '../deploy/resources.ts';
import type { Target } from '../wrangler.ts';

const dayMs = 24 * 60 * 60_000;
const parallel = 16;

interface Proxy {
  bucket: R2Bucket;
  close(): Promise<void>;
}

/** The local bucket `EVENTS`, or that of the live site with wrangler's login. */
async function openBucket({ remote, env: environment, persistTo }: Target): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), 'events-'));
  const configPath = join(folder, 'wrangler.json');
  const bucket_name = nameIn(environment ?? null)('funnel-events');
  const bucket = { binding: 'EVENTS', bucket_name, remote };
  const config = { name: 'events', compatibility_date: '2026-10-01', r2_buckets: [bucket] };
  await writeFile(configPath, JSON.stringify(config));
  const { env, dispose } = await getPlatformProxy<{ EVENTS: R2Bucket }>({
    configPath,
    persist: { path: join(persistTo, 'v3') },
    remoteBindings: remote,
  });
  const close = async () => {
    await dispose();
    await rm(folder, { recursive: true });
  };
  return { bucket: env.EVENTS, close };
}

function* daysOf({ since, until }: TimeRange): Generator<string> {
  for (let at = since - (since % dayMs); at < until; at += dayMs) {
    yield new Date(at).toISOString().slice(0, 10);
  }
}

export interface TimeRange {
  since: number;
  until: number;
}

async function listed(
  bucket: R2Bucket,
  period: TimeRange,
): Promise<{ key: string; etag: string }[]> {
  const found: { key: string; etag: string }[] = [];
  for (const day of daysOf(period)) {
    let cursor: string | undefined;
    do {
      const page = await bucket.list({ prefix: `events/date=${day}/`, cursor });
      found.push(...page.objects);
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor);
  }
  return found;
}

/** A file's name contains the version of its object, because an erasure rewrites objects. */
const fileOf = (folder: string, { key, etag }: { key: string; etag: string }) =>
  join(folder, dirname(key), `${basename(key, '.parquet')}-${etag}.parquet`);

async function filesIn(folder: string): Promise<string[]> {
  // Before the first copy there is no folder.
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('.parquet')).map((name) => join(folder, name));
}

/** Copies missing objects of the period's days, and deletes local files whose objects are gone. */
export async function copyObjects(
  bucket: Pick<R2Bucket, 'get' | 'list'>,
  folder: string,
  period: TimeRange,
): Promise<string[]> {
  const objects = await listed(bucket as R2Bucket, period);
  const wanted = new Map(objects.map((object) => [fileOf(folder, object), object.key]));
  const here = await filesIn(folder);
  const days = new Set(daysOf(period));
  const isOfPeriod = (file: string) => days.has(/date=([\d-]+)/.exec(file)?.[1] ?? '');
  for (const file of here) if (isOfPeriod(file) && !wanted.has(file)) await rm(file);
  const missing = [...wanted].filter(([file]) => !here.includes(file));
  const copyNext = async () => {
    for (let next = missing.pop(); next; next = missing.pop()) {
      const [file, key] = next;
      const object = await bucket.get(key);
      if (!object) continue;
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, new Uint8Array(await object.arrayBuffer()));
    }
  };
  await Promise.all(Array.from({ length: parallel }, copyNext));
  const copied = await filesIn(folder);
  return copied.filter((file) => wanted.has(file)).sort();
}

export async function localCopy(target: Target, period: TimeRange): Promise<string[]> {
  const { bucket, close } = await openBucket(target);
  try {
    return await copyObjects(
      bucket,
      join('.cache/events', target.remote ? (target.env ?? 'live') : 'here'),
      period,
    );
  } finally {
    await close();
  }
}
