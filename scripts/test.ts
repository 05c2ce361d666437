import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ensureEngines } from './browser-engines.ts';
import { ensureChromium } from './chromium.ts';
import { CommandError, npmCommand, print, runCommand } from './command.ts';

interface Options {
  /** Includes the slow files, `*.slow.test.ts`. */
  all: boolean;
  full: boolean;
  live: boolean;
}

function filesOf(name: string): string[] {
  const files = existsSync(name) ? [name] : globSync(`test/**/${name}/`);
  if (files.length > 0) return files;
  throw new CommandError(`There is no test file or room named ${name}.`);
}
const results = '.cache/tests.json';
const count = { passed: 0, failed: 0 };

const environment = ({ all, full, live }: Options) => ({
  ...process.env,
  SLOW: all || full ? '1' : '',
  FULL: full ? '1' : '',
  LIVE: live ? '1' : '',
});

/** Runs a command, which counts as one test, and prints its output at the end. */
function check(options: Options, command: string, ...args: string[]): Promise<boolean> {
  const child = spawn(command, args, { env: environment(options) });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => void output.push(part));
  }
  return new Promise((done) => {
    child.on('close', (code) => {
      count[code === 0 ? 'passed' : 'failed'] += 1;
      print(`${code === 0 ? '✓' : '×'} ${[command, ...args].join(' ')}`);
      if (code !== 0) print(Buffer.concat(output).toString());
      done(code === 0);
    });
  });
}

/** Runs test files and adds up vitest's counts; a run without a report is a failure. */
function test(options: Options, files: string[], ...extra: string[]): boolean {
  writeFileSync(results, '{}');
  const hang = '--reporter=./test/hang-reporter.ts';
  const reporters = ['--reporter=default', hang, '--reporter=json', `--outputFile.json=${results}`];
  const args = ['run', '--silent=passed-only', ...reporters, ...extra, ...files];
  const { status } = spawnSync('vitest', args, { stdio: 'inherit', env: environment(options) });
  const passed = status === 0;
  const { numPassedTests = 0, numFailedTests = 0 } = JSON.parse(readFileSync(results, 'utf8'));
  count.passed += numPassedTests;
  count.failed += passed ? numFailedTests : Math.max(1, numFailedTests);
  return passed;
}

/** Identifies the content of the files of a pattern, and of files that every build depends on. */
function fingerprint(pattern: string): string {
  const hash = createHash('sha256');
  const files = globSync(pattern).filter((file) => statSync(file).isFile());
  for (const file of [...files.sort(), 'package-lock.json', 'wrangler.toml', 'vite.config.ts']) {
    hash.update(file).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Builds if the sources have changed, or if another command has built. */
async function build(options: Options): Promise<boolean> {
  const record = '.cache/build.json';
  const product = 'dist/worker/wrangler.json';
  const tree = fingerprint('{worker,islands,screens,locales,public,scripts/build}/**/*.*');
  const state = () => JSON.stringify({ tree, builtAt: statSync(product).mtimeMs });
  if (existsSync(product) && existsSync(record) && readFileSync(record, 'utf8') === state()) {
    print('✓ the build is up to date');
    return true;
  }
  if (!(await check(options, 'vite', 'build', '--logLevel', 'warn'))) return false;
  writeFileSync(record, state());
  return true;
}

/** The full counts, room by room; continues where an earlier run of the same tree stopped. */
function testFull(options: Options): void {
  const file = '.cache/full.json';
  const tree = fingerprint('{worker,islands,screens,locales,test,scripts,public}/**/*.*');
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const passed: string[] = before.tree === tree ? before.passed : [];
  // Always repeated, because the providers may have changed.
  const again = (path: string) => options.live && path.includes('contract');
  const files = globSync('test/**/*.test.{ts,tsx}').sort();
  const due = files.filter((path) => !passed.includes(path) || again(path));
  print(`${files.length - due.length} of ${files.length} files passed before`);
  const roomOf = (path: string) => path.split('/').slice(0, -1).slice(0, 3).join('/');
  for (const [, room] of Map.groupBy(due, roomOf)) {
    test(options, room);
    const { testResults = [] } = JSON.parse(readFileSync(results, 'utf8'));
    for (const { name, status } of testResults) {
      if (status === 'passed') passed.push(relative('.', name));
    }
    writeFileSync(file, JSON.stringify({ tree, passed }));
  }
}

const liveKeys = [
  'STRIPE_LIVE_SECRET_KEY',
  'BRAINTREE_LIVE_MERCHANT_ID',
  'BRAINTREE_LIVE_PUBLIC_KEY',
  'BRAINTREE_LIVE_PRIVATE_KEY',
];

async function runTests(names: string[], options: Options): Promise<void> {
  for (const key of liveKeys) {
    if (options.live && !process.env[key]) print(`Not tested live: ${key} is not set.`);
  }
  mkdirSync('.cache', { recursive: true });
  // Holds every temporary file of the tests and of the browsers that they start.
  const temporary = mkdtempSync(join(tmpdir(), 'funnel-test-'));
  process.env.TMPDIR = temporary;
  process.on('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));
  const files = names.flatMap(filesOf);
  ensureChromium();
  if (files.length > 0) {
    process.exit((await build(options)) && test({ ...options, all: true }, files) ? 0 : 1);
  }
  const [built] = await Promise.all([
    build(options),
    check(options, 'biome', 'check', '--error-on-warnings', '.'),
    check(options, 'knip'),
    check(options, 'tsc', '--noEmit'),
  ]);
  const missing = options.full ? ensureEngines() : [];
  if (built && options.full) {
    testFull(options);
    test({ ...options, full: false, all: true }, ['test/worker', 'test/islands'], '--coverage');
    await check(options, 'node', 'scripts/mutate.ts');
  } else if (built) test(options, []);
  for (const name of missing) print(`Not run: ${name} cannot be installed here.`);
  print(`\n${count.passed} passed, ${count.failed} failed`);
  process.exit(count.failed > 0 ? 1 : 0);
}

export const program = npmCommand(
  'npm test --',
  'Runs lint, type checks and tests, or the tests of the named rooms and files.',
  'payments test/shape.test.ts',
)
  .argument('[names...]', 'rooms or test files')
  .option('--all', 'also run the slow files (*.slow.test.ts), as in CI', false)
  .option('--full', 'full counts; resumes an interrupted run (npm run test:full)', false)
  .option('--live', 'also test against the vendors’ test accounts whose keys are set', false)
  .action(runTests);

if (import.meta.main) await runCommand(program);
