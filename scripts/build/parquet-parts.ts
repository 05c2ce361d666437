import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Parts that events never use: kinds of columns, indexes and encodings. */
const unused =
  /node_modules\/hyparquet(-writer)?\/src\/(geospatial|geoparquet|variant|wkb|bloom|delta|splitstream|snappy|xxhash|filter|query|scan|indexes)\.js$/;

/** Leaves out half of the Parquet reader and writer. Parts that are left out become empty functions. */
export const parquetParts: Plugin = {
  name: 'parquet-parts',
  enforce: 'pre',
  load(id) {
    const [file = ''] = id.split('?');
    if (!unused.test(file)) return null;
    const names = readFileSync(file, 'utf8').matchAll(
      /^export (?:async )?(?:function\*?|const|class) (\w+)/gm,
    );
    return [...names].map(([, name]) => `export const ${name} = () => {};`).join('\n');
  },
};
