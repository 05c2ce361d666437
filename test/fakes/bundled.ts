import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const scripts = new Map<string, Promise<string>>();

/** A stand-in's script for browsers, made once on the first request. */
export function bundled(file: URL): Promise<string> {
  const known = scripts.get(file.href);
  if (known) return known;
  const made = build({
    entryPoints: [fileURLToPath(file)],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? '');
  scripts.set(file.href, made);
  return made;
}
