import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { create } from 'qrcode/lib/core/qrcode.js';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { parquetParts, qrCodeParts, textParts } from '../../../scripts/build/library-parts.ts';
import type * as QrCode from '../../../worker/accounts/qr-code.ts';
import type * as EventObjects from '../../../worker/analytics/event-objects.ts';
import type * as English from '../../../worker/content/english.ts';
import { flatTexts } from '../../../worker/content/rules/flat-texts.ts';

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
    ...{
      session: `s${at % 7}`,
      screen: 'signup',
      flow: 'default',
      experiment: '',
      arm: 'a',
      arms: '',
    },
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

/** A module as the Worker's build has it. */
async function builtFrom<Module>(entry: string): Promise<Module> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [qrCodeParts, textParts],
    build: {
      write: false,
      lib: { entry, formats: ['es'] },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [{ output = [] } = {}] = [built].flat() as { output: { code?: string }[] }[];
  const file = join(mkdtempSync(join(tmpdir(), 'part-')), 'part.mjs');
  writeFileSync(file, output[0]?.code ?? '');
  return import(/* @vite-ignore */ file);
}

test('QR codes: the build’s part makes the same code as the whole package, with every dark module', async () => {
  const part = await builtFrom<typeof QrCode>('worker/accounts/qr-code.ts');
  const whole = await import('../../../worker/accounts/qr-code.ts');
  for (const text of ['https://funnel.example/d#4fKx-9_aQ', 'SMSTO:+4915112345678:Grüße', 'x']) {
    const svg = part.qrCode(text);
    expect(svg).toBe(whole.qrCode(text));
    const data = new Uint8ClampedArray(new TextEncoder().encode(text));
    const { modules } = create([{ mode: 'byte', data }], {});
    const dark = [...svg.matchAll(/M(\d+) (\d+)\.5h(\d+)/g)].flatMap(([, x, y, length]) =>
      Array.from({ length: Number(length) }, (_, at) => {
        const [column, row] = [Number(x) + at - 2, Number(y) - 2];
        return row * modules.size + column;
      }),
    );
    expect(dark).toEqual([...modules.data].flatMap((isDark, at) => (isDark ? [at] : [])));
  }
});

test('texts: the build’s part of i18next makes every text as the whole package', async () => {
  const part = await builtFrom<typeof English>('worker/content/english.ts');
  const whole = await import('../../../worker/content/english.ts');
  const options = {
    lng: 'pl',
    fallbackLng: 'en',
    resources: {
      en: whole.texts,
      pl: { screens: { own_one: 'jeden {{count}}', own_few: '{{count}} x' } },
    },
    defaultNS: 'screens',
    initAsync: false,
    interpolation: { escapeValue: false },
  };
  const translators = [part, whole].map(({ createInstance }) => {
    const instance = createInstance(options);
    instance.init();
    return instance.getFixedT('pl', 'screens') as unknown as (key: string, more: object) => string;
  });
  const [own, expected] = translators;
  const keys = [...Object.keys(flatTexts(whole.texts.screens)), 'own', 'missing'];
  for (const key of keys) {
    for (const count of [0, 1, 3, 5]) {
      const values = { count, price: '$1 & <b>', name: 'Ann', date: '1' };
      expect(own?.(key, values)).toBe(expected?.(key, values));
    }
  }
});
