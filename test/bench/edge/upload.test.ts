import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import needsBuild from '../../needs-build.ts';
import { workerUpload } from './upload.ts';

needsBuild();

const kilobyte = 1024;
const upload = workerUpload();

test('Worker: the upload without the console has at most 458 KB of gzip, the console 100 KB', () => {
  expect(upload.consoleBytes).toBeGreaterThan(20 * kilobyte);
  expect(upload.consoleBytes).toBeLessThanOrEqual(100 * kilobyte);
  expect(upload.bytes - upload.consoleBytes).toBeLessThanOrEqual(458 * kilobyte);
});

test('Worker: the code that an isolate evaluates before its first request has at most 160 KB of gzip', () => {
  expect(upload.startBytes).toBeGreaterThan(100 * kilobyte);
  expect(upload.startBytes).toBeLessThanOrEqual(160 * kilobyte);
});

test.each([
  [
    'the screens and the islands',
    /^(\.\.\/)*(screens|islands\/(?!(account\/is-email|phone\/countries)\.ts))/,
  ],
  ['Stripe’s client', /node_modules\/stripe\//],
  ['Braintree’s calls', /gateways\/braintree\/(gateway|sale|webhook)\.ts/],
  ['numbering plans', /node_modules\/libphonenumber-js\//],
  ['texts', /node_modules\/i18next\//],
  ['QR codes', /node_modules\/(qrcode|pngjs)\//],
  ['Google’s tokens', /node_modules\/jose\//],
  ['e-mails', /worker\/email\/(templates|email-consumer)/],
  ['browser reports', /analytics\/browser-reports\.ts/],
  ['the synthetic visitor', /synthetic-visitor/],
  ['SMS keywords', /opt-out-keywords/],
  ['the API’s description', /openapi/],
  [
    'what only a browser runs',
    /islands\/(checkout\/(pay|purchase|poll)|account\/save-card|runtime\/navigation\/navigate)\.ts/,
  ],
])('Worker: an isolate starts without %s', (_what, source) => {
  expect(upload.startSources.length).toBeGreaterThan(200);
  expect(upload.startSources.filter((each) => source.test(each))).toEqual([]);
});

test('Worker: an isolate starts without React; the upload has only React’s streaming renderer', () => {
  expect(upload.startCode).not.toContain('react.transitional.element');
  expect(upload.code).toContain('react.transitional.element');
  // Error messages of the browser's renderer and of the legacy one.
  expect(upload.code).not.toMatch(/hydrateRoot|renderToStaticMarkup/);
});

test.each(['de', 'ar', 'ja'])('Worker: its bundle contains no page in %s', (language) => {
  const { landing } = JSON.parse(readFileSync(`locales/${language}/screens.json`, 'utf8'));
  const { landing: english } = JSON.parse(readFileSync('locales/en/screens.json', 'utf8'));
  expect(upload.code.includes(english.one_pager.title)).toBe(true);
  expect(upload.code.includes(landing.one_pager.title)).toBe(false);
});

test('Worker: the languages’ own names come from the build', () => {
  expect(upload.startCode).not.toMatch(/DisplayNames\([^)]*type:[`"']language/);
});
