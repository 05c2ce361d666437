import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { clientManifest } from './scripts/build/client-manifest.ts';
import { islandNames } from './scripts/build/island-names.ts';
import { languageFiles } from './scripts/build/language-files.ts';
import { cssModules } from './scripts/build/page-styles.ts';
import { developmentVars } from './scripts/development-vars.ts';
import { queuesAtOnce } from './test/queues-at-once.ts';

/** Long enough for a busy machine: only a test that hangs reaches them. */
const timeouts = {
  testTimeout: 180_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};

const full = process.env.FULL === '1';

/** Sweeps, fault injection and rare paths. CI runs them; `npm test` skips them, so that it takes only minutes. */
const slow = process.env.SLOW === '1' ? [] : ['test/**/*.slow.test.{ts,tsx}'];

/** Rooms of the Worker. */
const rooms = readdirSync('worker', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'migrations')
  .map(({ name }) => name);

/** Folders of decisions that use no I/O and no clock. */
const pure = ['worker/**/rules', 'worker/payments/{purchase,notices}'];

const inDirectories = (...names: string[]) =>
  names.map((name) => `test/${name}/**/*.test.{ts,tsx}`);

/** Applies one mutation to one source file in memory, for scripts/mutate.ts. */
const mutation: Plugin = {
  name: 'mutation',
  enforce: 'pre',
  transform(code, id) {
    if (!process.env.MUTATION) return null;
    const { file, start, end, text } = JSON.parse(process.env.MUTATION);
    return id === resolve(file) ? code.slice(0, start) + text + code.slice(end) : null;
  },
};

/**
 * Turns the Worker's dynamic imports into static ones. The test runner loads a module by I/O, which two Durable
 * Objects must not share; the built Worker already contains every module.
 */
const eagerImports: Plugin = {
  name: 'eager-imports',
  enforce: 'post',
  transform(code, id) {
    if (!id.startsWith(resolve('worker')) || id.endsWith('worker/app.ts')) return null;
    const imports: string[] = [];
    const eager = code.replace(/\bimport\((["'][^"']+["'])\)/g, (_all, source: string) => {
      const name = `__eager${imports.length}`;
      imports.push(`import * as ${name} from ${source};`);
      return `Promise.resolve(${name})`;
    });
    return imports.length > 0 ? `${eager}\n${imports.join('\n')}` : null;
  },
};

/** Packages with many files. Each is bundled into one, because the runtime requests every file from this process. */
const bundledPackages = [
  ...['stripe', 'valibot', 'jose', 'i18next', 'libphonenumber-js/core', 'standardwebhooks'],
  ...['hyparquet', 'hyparquet-writer', 'nanostores', '@nanostores/react'],
  ...['react', 'react/jsx-runtime', 'react/jsx-dev-runtime', 'react-dom/server.edge'],
  ...['hono', 'hono/factory', 'hono/cookie', 'hono/html', 'hono/jwt', 'hono/combine'],
  ...['hono/body-limit', 'hono/router/trie-router', 'hono/utils/encode', 'hono/utils/cookie'],
];
const bundled = {
  deps: {
    optimizer: {
      ssr: {
        enabled: true,
        include: bundledPackages,
        // Vite bundles them with plugins of its own, and Rolldown would report that these are slow.
        rolldownOptions: { checks: { pluginTimings: false } },
      },
    },
  },
};

const virtualModules = [clientManifest, languageFiles, islandNames];

/** The Worker's runtime. @param accountDatabases number of databases besides `DB` */
const workerRuntime = (accountDatabases = 0) =>
  cloudflareTest(async () => ({
    wrangler: { configPath: './wrangler.toml' },
    miniflare: {
      d1Databases: Object.fromEntries(
        Array.from({ length: accountDatabases }, (_, at) => [`DB_${at + 1}`, `DB_${at + 1}`]),
      ),
      queueConsumers: queuesAtOnce('wrangler.toml'),
      // Requests that no fake answers never leave this machine.
      outboundService: () => new Response('no network in tests', { status: 599 }),
      bindings: {
        ENVIRONMENT: 'test',
        TOKEN_SECRET: 'a secret of the tests, 32 characters',
        STRIPE_SECRET_KEY: 'sk_test_fake',
        STRIPE_WEBHOOK_SECRET: 'whsec_fake',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_fake',
        STRIPE_ACCOUNT_NAME: 'Fake',
        STRIPE_PRODUCT: 'prod_funnel',
        BRAINTREE_MERCHANT_ID: 'fake_merchant',
        BRAINTREE_PUBLIC_KEY: 'fake_public',
        BRAINTREE_PRIVATE_KEY: 'fake_private',
        BRAINTREE_ENVIRONMENT: 'sandbox',
        BRAINTREE_MERCHANT_ACCOUNTS: developmentVars.BRAINTREE_MERCHANT_ACCOUNTS,
        TWILIO_ACCOUNT_SID: 'AC_fake',
        TWILIO_AUTH_TOKEN: 'twilio_fake',
        SMS_FROM: '+15005550006',
        SMS_COUNTRIES: '{"DE":{"cents":8},"US":{"cents":1},"AE":{"cents":9}}',
        PHONE_HASH_SECRET: 'a secret of the tests, also 32 characters',
        FULL: full,
        SLOW: slow.length === 0,
        MIGRATIONS: await readD1Migrations('worker/migrations'),
        ANALYTICS_MIGRATIONS: await readD1Migrations('worker/analytics/migrations'),
        ACCOUNT_DATABASES: accountDatabases > 0 ? `${accountDatabases}` : '',
      },
    },
  }));

export default defineConfig({
  test: {
    // More workers than cores, because tests mostly wait: for alarms, animations and responses.
    maxWorkers: 4,
    // Istanbul, because workerd does not support V8's coverage.
    coverage: {
      provider: 'istanbul',
      include: ['worker/*/**/*.{ts,tsx}', 'islands/**/*.{ts,tsx}'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: '.cache/coverage',
      thresholds: {
        ...Object.fromEntries(pure.map((path) => [`${path}/**`, { lines: 95, branches: 90 }])),
        ...Object.fromEntries(rooms.map((room) => [`worker/${room}/**`, { lines: 80 }])),
      },
    },
    projects: [
      {
        plugins: [mutation, ...virtualModules],
        css: cssModules,
        test: {
          ...timeouts,
          name: 'browser-code',
          // A process takes half a second to start, so files share one.
          isolate: false,
          include: inDirectories('islands'),
          exclude: slow,
          setupFiles: ['test/restore-stubs.ts', 'test/islands/setup.ts'],
        },
      },
      {
        plugins: [mutation, ...virtualModules],
        css: cssModules,
        test: {
          ...timeouts,
          name: 'pure',
          // These tests leave no timers and no globals behind.
          isolate: false,
          // Of `node:sqlite`, with which they read the migrations.
          execArgv: ['--disable-warning=ExperimentalWarning'],
          include: [
            ...inDirectories(...pure, 'screens', 'locales', 'fakes', 'scripts', 'bench'),
            'test/shape.test.ts',
          ],
          exclude: slow,
        },
      },
      {
        plugins: [mutation, ...virtualModules, eagerImports, workerRuntime()],
        css: cssModules,
        test: {
          ...timeouts,
          ...bundled,
          name: 'runtime',
          // A runtime takes seconds to start, so files share one; `setupFiles` empties it before each file.
          isolate: false,
          include: ['test/worker/**/*.test.{ts,tsx}'],
          exclude: [...inDirectories(...pure), ...slow],
          globalSetup: ['test/needs-build.ts'],
          setupFiles: ['test/restore-stubs.ts', 'test/worker/setup.ts'],
        },
      },
      {
        plugins: [...virtualModules, eagerImports, workerRuntime(4)],
        css: cssModules,
        test: {
          ...timeouts,
          ...bundled,
          name: 'account-databases',
          isolate: false,
          include: inDirectories('account-databases'),
          exclude: slow,
          globalSetup: ['test/needs-build.ts'],
          setupFiles: ['test/restore-stubs.ts', 'test/worker/setup.ts'],
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          // Browsers other than Chromium run only in the full run.
          exclude: full ? [] : ['test/journeys/engines/**', ...slow],
          // The test files of one worker share a browser and a server.
          isolate: false,
          ...timeouts,
        },
      },
    ],
  },
});
