import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ensureChromium } from './chromium.ts';
import { CommandError, npmCommand, runCommand, say } from './command.ts';

interface Options {
  full: boolean;
  live: boolean;
}

/** Test files of a room's name, or of a path. */
function filesOf(name: string): string[] {
  const files = existsSync(name) ? [name] : globSync(`test/**/${name}/`);
  if (files.length > 0) return files;
  throw new CommandError(`There is no test file or room named ${name}.`);
}
const results = '.cache/tests.json';
const count = { passed: 0, failed: 0 };

/** Runs a command with the environment that says how much to test. */
function run(command: string, args: string[], { full, live }: Options): boolean {
  const env = { ...process.env, FULL: full ? '1' : '', LIVE: live ? '1' : '' };
  return spawnSync(command, args, { stdio: 'inherit', env }).status === 0;
}

/** A check counts as one test. */
function check(options: Options, command: string, args: string[]): boolean {
  const passed = run(command, args, options);
  count[passed ? 'passed' : 'failed'] += 1;
  return passed;
}

/** Runs test files and adds up vitest's counts; a run without a report is a failure. */
function test(options: Options, files: string[]): boolean {
  writeFileSync(results, '{}');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const args = ['run', '--silent=passed-only', ...reporters, ...files];
  const passed = run('vitest', args, options);
  const { numPassedTests = 0, numFailedTests = 0 } = JSON.parse(readFileSync(results, 'utf8'));
  count.passed += numPassedTests;
  count.failed += passed ? numFailedTests : Math.max(1, numFailedTests);
  return passed;
}

/** Identifies everything that the tests depend on. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const files = globSync('{worker,islands,screens,locales,test,scripts,public}/**/*.*').sort();
  for (const file of [...files, 'package-lock.json', 'wrangler.toml']) {
    hash.update(file).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** The full counts, file by file; continues where an earlier run of the same tree stopped. */
function testFull(options: Options): void {
  const file = '.cache/proved.json';
  const tree = fingerprint();
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const proved: string[] = before.tree === tree ? before.proved : [];
  for (const each of globSync('test/**/*.test.{ts,tsx}').sort()) {
    // The providers may have changed since.
    const again = options.live && each.includes('contract');
    if (proved.includes(each) && !again) say(`Passed before: ${each}`);
    else if (test(options, [each])) proved.push(each);
    writeFileSync(file, JSON.stringify({ tree, proved }));
  }
}

const liveKeys = [
  'STRIPE_LIVE_SECRET_KEY',
  'BRAINTREE_LIVE_MERCHANT_ID',
  'BRAINTREE_LIVE_PUBLIC_KEY',
  'BRAINTREE_LIVE_PRIVATE_KEY',
];

function runTests(names: string[], options: Options): void {
  for (const key of liveKeys) {
    if (options.live && !process.env[key]) say(`Not tested live: ${key} is not set.`);
  }
  const build = ['build', '--logLevel', 'warn'];
  mkdirSync('.cache', { recursive: true });
  if (names.length > 0) {
    const files = names.flatMap(filesOf);
    ensureChromium();
    const passed = check(options, 'vite', build) && test(options, files);
    process.exit(passed ? 0 : 1);
  }
  ensureChromium();
  check(options, 'biome', ['check', '--error-on-warnings', '.']);
  check(options, 'knip', []);
  if (check(options, 'vite', build)) {
    check(options, 'tsc', ['--noEmit']);
    if (options.full) testFull(options);
    else test(options, []);
  }
  say(`\n${count.passed} passed, ${count.failed} failed`);
  process.exit(count.failed > 0 ? 1 : 0);
}

export const program = npmCommand(
  'npm test --',
  'Lint, types and all tests, or the tests of the rooms and files named.',
  'payments test/shape.test.ts',
)
  .argument('[names...]', 'rooms or test files')
  .option('--full', 'full counts; resumes where an earlier run stopped (npm run test:full)', false)
  .option('--live', 'also test against the vendors’ test accounts whose keys are set', false)
  .action(runTests);

if (import.meta.main) await runCommand(program);
