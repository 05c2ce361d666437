import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const parts = (...names: string[]) =>
  new RegExp(`node_modules/hyparquet(-writer)?/src/(${names.join('|')})\\.js$`);

/** Kinds of columns, queries and encodings that events never use. */
const uncalled = parts('geospatial', 'variant', 'wkb', 'delta', 'splitstream', 'snappy', 'query');

/** Called for every object, but without a filter, an index or a column of that kind they find nothing. */
const idle = parts('bloom', 'xxhash', 'geoparquet', 'filter', 'indexes');

/** Results that the callers read; the others return nothing. */
const results: Record<string, string> = { columnsNeededForFilter: '[]' };

/** Leaves out half of the Parquet reader and writer. A part that is never called throws if it is called after all. */
export const parquetParts: Plugin = {
  name: 'parquet-parts',
  enforce: 'pre',
  load(id) {
    const [file = ''] = id.split('?');
    if (!uncalled.test(file) && !idle.test(file)) return null;
    const names = readFileSync(file, 'utf8').matchAll(
      /^export (?:async )?(?:function\*?|const|class) (\w+)/gm,
    );
    const throws = '{ throw new Error("left out of the build"); }';
    const bodyOf = (name = '') => (idle.test(file) ? (results[name] ?? '{}') : throws);
    return [...names].map(([, name]) => `export const ${name} = () => ${bodyOf(name)};`).join('\n');
  },
};
