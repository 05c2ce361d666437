import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

const entry = process.argv[2],
  ext = (process.argv[3] || '').split(',').filter(Boolean);
const r = await build({
  entryPoints: [entry],
  bundle: true,
  minify: true,
  format: 'esm',
  write: false,
  metafile: true,
  external: [
    './email-typo.ts',
    './after-sign-up.ts',
    './hydrate-island.ts',
    './react-chunk.ts',
    './first-touch.ts',
    ...ext,
  ],
  logLevel: 'error',
});
console.log('total', brotliCompressSync(r.outputFiles[0].contents).length);
for (const o of Object.values(r.metafile.outputs))
  for (const [f, { bytesInOutput }] of Object.entries(o.inputs).sort(
    (a, b) => b[1].bytesInOutput - a[1].bytesInOutput,
  ))
    console.log(bytesInOutput, f);
