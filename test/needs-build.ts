import { existsSync } from 'node:fs';

/** Runs before tests that read the build: `npm test` makes it, vitest alone does not. */
export default function needsBuild(): void {
  if (existsSync('dist/worker/wrangler.json')) return;
  throw new Error('This test needs a build: run "npm run build" first.');
}
