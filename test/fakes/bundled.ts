import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const scripts = new Map<string, Promise<string>>();

/** A browser script of a fake, bundled on the first request. */
export function bundled(file: URL): Promise<string> {
  const cached = scripts.get(file.href);
  if (cached) return cached;
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
