import { gunzipSync, gzipSync } from 'node:zlib';
import type { R2Bucket } from '@cloudflare/workers-types';
import type { StoredEvent } from './rules/stored-event.ts';

/** The columns of an object, with the place of each value in an event. `scripts/events/` reads them. */
const columns = {
  id: 'id',
  name: 'name',
  occurred_at: 'at',
  visitor_id: 'visitor',
  session_id: 'session',
  screen: 'screen',
  flow: 'flow',
  experiment: 'experiment',
  arm: 'arm',
  arms: 'arms',
  country: 'country',
  language: 'language',
  device: 'device',
  source: 'source',
  landing: 'landing',
  version: 'version',
  consent: 'consent',
  properties: 'properties',
} as const satisfies Record<string, keyof StoredEvent>;

const typeOf: Partial<Record<string, 'TIMESTAMP' | 'JSON'>> = {
  occurred_at: 'TIMESTAMP',
  properties: 'JSON',
};

const packGzip = (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes));

function unpackGzip(bytes: Uint8Array, length: number): Uint8Array {
  const whole = new Uint8Array(length);
  whole.set(gunzipSync(bytes));
  return whole;
}

/** `events/date=2026-11-23/hour=14/…`, in UTC, which query engines read as two more columns. */
export function objectKey(at: number, shard: string, sequence: number): string {
  const [date, time = ''] = new Date(at).toISOString().split('T');
  const name = `${shard}-${String(sequence).padStart(12, '0')}`;
  return `events/date=${date}/hour=${time.slice(0, 2)}/${name}.parquet`;
}

/** Replaces the object; without events, deletes it. */
export async function putEvents(
  bucket: R2Bucket,
  key: string,
  events: readonly StoredEvent[],
): Promise<void> {
  if (events.length === 0) return bucket.delete(key);
  const { parquetWriteBuffer } = await import('./parquet.ts');
  const columnData = Object.entries(columns).map(([name, field]) => ({
    name,
    type: typeOf[name] ?? ('STRING' as const),
    nullable: false,
    data: events.map((event) =>
      name === 'occurred_at' ? new Date(event.at) : (event[field] ?? ''),
    ),
  }));
  const object = parquetWriteBuffer({
    columnData,
    codec: 'GZIP',
    compressors: { GZIP: packGzip },
    rowGroupSize: events.length,
  });
  await bucket.put(key, object);
}

/** Returns no events when the object is gone. */
export async function getEvents(bucket: R2Bucket, key: string): Promise<StoredEvent[]> {
  const object = await bucket.get(key);
  if (!object) return [];
  const { parquetReadObjects } = await import('./parquet.ts');
  const rows = await parquetReadObjects({
    file: await object.arrayBuffer(),
    compressors: { GZIP: unpackGzip },
  });
  return rows.map((row) => {
    // Objects of older builds have neither landing nor arms.
    const fields = Object.entries(columns).map(([name, field]) => [field, row[name] ?? '']);
    const event = Object.fromEntries(fields);
    return { ...event, at: Number(event.at) };
  });
}
