import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { cloudflare } from '@cloudflare/vite-plugin';
import { defineConfig } from 'vite';
import { browserChunks, registry } from './scripts/build/browser-chunks.ts';
import { clientManifest } from './scripts/build/client-manifest.ts';
import { environments, outDir } from './scripts/build/environments.ts';
import { fonts } from './scripts/build/fonts.ts';
import { islandNames } from './scripts/build/island-names.ts';
import { languageFiles } from './scripts/build/language-files.ts';
import {
  parquetParts,
  qrCodeParts,
  stripeParts,
  textParts,
} from './scripts/build/library-parts.ts';
import { licences } from './scripts/build/licences.ts';
import { linkCards } from './scripts/build/link-cards.ts';
import { classNames, cssModules, pageStyles } from './scripts/build/page-styles.ts';
import { placeData } from './scripts/build/place-data.ts';
import { reactAsModule, reactForWorker } from './scripts/build/react-as-module.ts';
import { serverIslands } from './scripts/build/server-islands.ts';
import { streetMapLibrary } from './scripts/build/street-map-library.ts';

const screens = Object.fromEntries(
  readdirSync('screens')
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => [basename(file, '.tsx'), `screens/${file}`]),
);

export default defineConfig({
  plugins: [
    cloudflare({ viteEnvironment: { name: 'worker' } }),
    clientManifest,
    languageFiles,
    islandNames,
    fonts,
    linkCards,
    placeData,
    streetMapLibrary,
    licences,
    parquetParts,
    qrCodeParts,
    stripeParts,
    textParts,
    pageStyles,
    classNames,
    reactForWorker,
    reactAsModule,
    serverIslands,
    browserChunks,
  ],
  css: cssModules,
  build: { outDir: outDir(), assetsInlineLimit: 0 },
  environments: {
    client: {
      build: {
        manifest: true,
        modulePreload: false,
        rolldownOptions: {
          // 40 bytes of the loader, whose budget is 3 KB.
          optimization: { inlineConst: { mode: 'all' } },
          input: {
            loader: 'islands/runtime/hydration/loader.ts',
            'console-shares': 'islands/console/shares.ts',
            'console-texts': 'islands/console/text-checks.ts',
            'console-preview': 'islands/console/preview-texts.ts',
            'console-flows': 'islands/console/flow-order.ts',
            'console-chart': 'islands/console/charts.ts',
            'console-apply': 'islands/console/apply-at-once.ts',
            [registry]: 'islands/runtime/hydration/build-entries.ts',
          },
          output: {
            entryFileNames: 'static/js/[name].[hash:7].js',
            chunkFileNames: 'static/js/[name].[hash:7].chunk.js',
            // React rarely changes and the islands' shared code often does: two chunks, fetched in parallel.
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                {
                  name: 'loader',
                  tags: ['$initial'],
                  test: /^(?!.*(hydration\/build-entries|islands\/console|format\/placeholders))/,
                  priority: 3,
                },
                {
                  name: 'first-touch',
                  test: /hydration\/first-touch\.ts/,
                  includeDependenciesRecursively: true,
                  priority: 2.5,
                },
                {
                  // Blockers match file names, so none of them says what it measures.
                  name: 'visit',
                  test: /tracking\/(visit-events|click-events|screen-events|tap-to-screen)\.ts/,
                  priority: 2.4,
                },
                { name: 'later', test: /islands\/vendors\/ads\//, priority: 2.4 },
                {
                  name: 'paint',
                  test: /node_modules\/web-vitals\/|tracking\/(web|navigation)-vitals\.ts/,
                  priority: 2.4,
                },
                {
                  name: 'email-step',
                  test: /account\/(email-step|signup|is-email|typo-checker)\.ts/,
                  priority: 2.4,
                },
                {
                  name: 'stores',
                  test: /node_modules\/nanostores\/|stores\/(signup|pending|visitor-uuid)\.ts|tracking\/track\.ts|format\/typed-code\.ts|storage\/persist\.ts|navigation\/prerender-page\.ts|runtime\/refusal-message\.ts|runtime\/in-app-browser\.ts/,
                  priority: 2.4,
                },
                {
                  name: 'payment-settings',
                  test: /vendors\/payment-settings\.ts/,
                  priority: 2.4,
                },
                {
                  name: 'react',
                  test: /node_modules\/(react|react-dom|scheduler)\/|runtime\/(hydration\/react-chunk|navigation\/(next-frame|adopt-styles|lay-out-next-screen))\.ts/,
                  priority: 2,
                },
                {
                  name: 'place',
                  test: /islands\/maps\/(area-drawing|shared-location|street-view|map\.module)\b/,
                  minShareCount: 2,
                  priority: 2,
                },
                {
                  name: 'pay',
                  test: /islands\/(checkout\/(card-fields|pay|pay-button|plan-choice|poll|purchase|use-chosen-plan|use-takeover|use-wallets)|runtime\/tracking\/purchase-events|vendors\/(bank-challenge|payment-provider|load-payment-provider|wallet-amount)|ui\/reload-link)\./,
                  minShareCount: 2,
                  priority: 2,
                },
                {
                  name: 'account',
                  test: /islands\/account\/(continue-as|fact-list|link-gate|purchases-api|renewal-card|report-unexpected|request-sign-in-link|show-result)\b/,
                  minShareCount: 2,
                  priority: 2,
                },
                {
                  name: 'invitation',
                  test: /islands\/invitations\//,
                  minShareCount: 2,
                  priority: 2,
                },
                { name: 'shared', test: /./, minShareCount: 2, priority: 1 },
              ],
            },
          },
        },
      },
    },
    worker: {
      build: {
        minify: true,
        rolldownOptions: {
          output: {
            // Nothing caches a module of the upload by its name, and hashes do not compress.
            chunkFileNames: 'assets/[name].js',
            codeSplitting: {
              // Small chunks compress worse. Every isolate evaluates `start` before its first request.
              groups: [
                { name: 'start', tags: ['$initial'], priority: 2 },
                // The console reads a file of these texts too.
                {
                  name: 'english',
                  test: /\/locales\/en\/(?!sms|pages)|content\/english\.ts|\/i18next\//,
                  priority: 1.5,
                },
                {
                  name: 'monitoring',
                  test: /worker\/(monitoring\/|operators\/dead-letter)/,
                  priority: 1,
                },
                // Payment rules, separate so that code which needs only these does not load a gateway.
                {
                  name: 'gateways',
                  test: /payments\/(purchase|notices|\w+\/rules)\//,
                  priority: 1.5,
                },
                { name: 'stripe', test: /payments\/gateways\/stripe\//, priority: 1 },
                { name: 'braintree', test: /payments\/gateways\/braintree\//, priority: 1 },
                // React, and what funnel screens, account pages and the console share.
                {
                  name: 'screens-shared',
                  test: /react|\/(screens|islands|locales)\//,
                  minShareCount: 2,
                  priority: 0.5,
                },
                // For visitors while there are experiments, without what publishes them.
                {
                  name: 'experiments',
                  test: /experiments\/(running-experiments|frozen-documents|rules\/holdout)/,
                  priority: 1.2,
                },
                // What publishes documents, for the commands, scheduled publications and the console.
                {
                  name: 'publishing',
                  test: /sale-check|offered-plans|plans-text|content-set|flat-texts|document-changes|config-(set|reviews)|holdout-fix|publish-documents|document-(diff|store|warnings)|misspellings|experiments\/rules\/suggestions|catalog-(changes|warnings)|sold-versions|suggested-price/,
                  priority: 1.1,
                },
                // Code that console pages share with the operators' commands, scheduled publications and guardrails.
                {
                  name: 'console-shared',
                  test: /worker\/console\/|experiments\/(results-table|rules\/(guardrails|distributions))/,
                  minShareCount: 2,
                  priority: 1,
                },
              ],
            },
          },
        },
      },
    },
    styles: {
      consumer: 'client',
      build: {
        outDir: `${outDir()}/styles`,
        copyPublicDir: false,
        rolldownOptions: { input: screens, preserveEntrySignatures: 'strict' },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      for (const name of environments) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
    },
  },
});
