import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ensureChromium } from './chromium.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    live: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const { full, live, help } = values;
if (help) {
  process.stdout.write(`npm test                      all tests, lint and types
npm test -- payments          the tests of one room
npm test -- test/shape.test.ts
npm run test:full             full counts; resumes where it stopped
npm run test:full -- --live   asks the vendors' test accounts too, where their keys are set
`);
  process.exit(0);
}

/** Test files of a room's name, or of a path; all where nothing is named. */
function filesOf(name: string): string[] {
  const files = existsSync(name) ? [name] : globSync(`test/**/${name}/`);
  if (files.length > 0) return files;
  process.stderr.write(`There is no test file or room named ${name}.\n`);
  process.exit(1);
}
const results = '.cache/tests.json';
const count = { passed: 0, failed: 0 };

function run(command: string, args: string[]): boolean {
  const env = { ...process.env, FULL: full ? '1' : '', LIVE: live ? '1' : '' };
  return spawnSync(command, args, { stdio: 'inherit', env }).status === 0;
}

/** A check counts as one test. */
function check(command: string, args: string[]): boolean {
  const passed = run(command, args);
  count[passed ? 'passed' : 'failed'] += 1;
  return passed;
}

/** Runs test files, and adds up what vitest says; a run that says nothing is a failure. */
function test(files: string[]): boolean {
  writeFileSync(results, '{}');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const passed = run('vitest', ['run', '--silent=passed-only', ...reporters, ...files]);
  const { numPassedTests = 0, numFailedTests = 0 } = JSON.parse(readFileSync(results, 'utf8'));
  count.passed += numPassedTests;
  count.failed += passed ? numFailedTests : Math.max(1, numFailedTests);
  return passed;
}

/** What the tests depend on; a change makes earlier proofs worthless. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const files = globSync('{worker,islands,screens,locales,test,scripts,public}/**/*.*').sort();
  for (const file of [...files, 'package-lock.json', 'wrangler.toml']) {
    hash.update(file).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** The full counts, file by file, going on where an earlier run of the same tree stopped. */
function prove(): void {
  const file = '.cache/proved.json';
  const tree = fingerprint();
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const proved: string[] = before.tree === tree ? before.proved : [];
  for (const each of globSync('test/**/*.test.{ts,tsx}').sort()) {
    // The providers themselves may have changed.
    const again = live && each.includes('contract');
    if (proved.includes(each) && !again) process.stdout.write(`proved before: ${each}\n`);
    else if (test([each])) proved.push(each);
    writeFileSync(file, JSON.stringify({ tree, proved }));
  }
}

const liveKeys = [
  'STRIPE_LIVE_SECRET_KEY',
  'BRAINTREE_LIVE_MERCHANT_ID',
  'BRAINTREE_LIVE_PUBLIC_KEY',
  'BRAINTREE_LIVE_PRIVATE_KEY',
];
for (const key of liveKeys) {
  if (live && !process.env[key]) process.stdout.write(`not asked live: ${key} is not set\n`);
}

mkdirSync('.cache', { recursive: true });
ensureChromium();
if (positionals.length > 0) {
  const passed =
    check('vite', ['build', '--logLevel', 'warn']) && test(positionals.flatMap(filesOf));
  process.exit(passed ? 0 : 1);
}
check('biome', ['check', '--error-on-warnings', '.']);
check('knip', []);
if (check('vite', ['build', '--logLevel', 'warn'])) {
  check('tsc', ['--noEmit']);
  if (full) prove();
  else test([]);
}
process.stdout.write(`\n${count.passed} passed, ${count.failed} failed\n`);
process.exit(count.failed > 0 ? 1 : 0);
