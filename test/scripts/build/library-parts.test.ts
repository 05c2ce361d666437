import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { parquetParts } from '../../../scripts/build/library-parts.ts';
import type * as EventObjects from '../../../worker/analytics/event-objects.ts';

/** `event-objects.ts` as the Worker's build has it: with the plugin, in one file. */
async function builtEventObjects(): Promise<typeof EventObjects> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [parquetParts],
    build: {
      write: false,
      minify: false,
      lib: { entry: 'worker/analytics/event-objects.ts', formats: ['es'] },
      rolldownOptions: { external: /^node:/, output: { codeSplitting: false } },
    },
  });
  const [{ output = [] } = {}] = [built].flat() as { output: { code?: string }[] }[];
  const file = join(mkdtempSync(join(tmpdir(), 'parquet-')), 'event-objects.mjs');
  writeFileSync(file, output[0]?.code ?? '');
  return import(/* @vite-ignore */ file);
}

/** A bucket with one object. */
class Bucket {
  object = new ArrayBuffer(0);

  async put(_key: string, object: ArrayBuffer) {
    this.object = object;
  }

  async get() {
    return { arrayBuffer: async () => this.object };
  }
}

const compressors = Object.fromEntries([
  ['GZIP', (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes))],
]);
const decompressors = Object.fromEntries([
  ['GZIP', (bytes: Uint8Array) => new Uint8Array(gunzipSync(bytes))],
]);

const events = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ id: `e${at}`, name: at % 2 ? 'load' : 'lead', at: 1_790_000_000_000 + at, visitor: 'v' },
    ...{ session: `s${at % 7}`, screen: 'signup', flow: 'default', experiment: '', arm: 'a' },
    ...{ country: 'US', language: 'en', device: '', source: '', version: '1', consent: 'ads' },
    landing: 'one_pager',
    properties: at % 3 ? {} : { seconds: at, text: 'é'.repeat(at % 40) },
  }));

test.each([1, 2, 300, 5000])(
  'Parquet parts: the build writes %i events, and reads what it wrote and what the whole library wrote',
  async (count) => {
    const { putEvents, getEvents } = await builtEventObjects();
    const bucket = new Bucket();
    const written = events(count) as never[];
    await putEvents(bucket as never, 'key', written);
    expect(await getEvents(bucket as never, 'key')).toEqual(written);
    const rows = await parquetReadObjects({ file: bucket.object, compressors: decompressors });
    expect(rows.map(({ id }) => id)).toEqual(written.map(({ id }) => id));
    const names = Object.keys(rows[0] ?? {});
    const writeWhole = (columns: string[]) =>
      parquetWriteBuffer({
        columnData: columns.map((name) => ({
          name,
          data: rows.map((row) => row[name]),
          ...(name === 'properties' && { type: 'JSON' as const }),
        })),
        codec: 'GZIP',
        compressors,
      });
    await bucket.put('key', writeWhole(names));
    expect(await getEvents(bucket as never, 'key')).toEqual(written);
    // An object of a build without landings.
    await bucket.put('key', writeWhole(names.filter((name) => name !== 'landing')));
    expect(await getEvents(bucket as never, 'key')).toEqual(
      events(count).map((event) => ({ ...event, landing: '' })),
    );
  },
);
