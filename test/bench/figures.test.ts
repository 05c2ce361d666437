import { expect, test } from 'vitest';
import { faultsOf, type Report } from './faults.ts';
import { earlyFigures } from './figures.ts';
import { strangersIn } from './load.ts';
import { growth } from './statistics.ts';

const met = (...touches: number[]) =>
  earlyFigures(
    'one_pager',
    touches.map((touch) => ({ lost: 0, touch })),
  ).map((figure) => figure.met);

test('a touch that nobody saw answered misses its target, like a slow one', () => {
  expect(met(48)).toEqual([true, true]);
  expect(met(208)).toEqual([true, false]);
  expect(met(0)).toEqual([true, false]);
  expect(met(0, 0, 48)).toEqual([true, false]);
});

test('what is learned at first is no growth, and what comes later is', () => {
  const flat = [10, 15, 20, 20, 20, 20, 20, 20];
  expect(growth(flat)).toMatchObject({ 'first MB': 10, 'last quarter MB': 20, growth: 1 });
  const leaking = Array.from({ length: 40 }, (_, at) => 20 + at);
  expect(growth(leaking).growth).toBeGreaterThan(1.2);
});

const strangers = (...paths: string[]) => strangersIn(['/one_pager', ...paths], '/one_pager');

test('before the largest paint, all but the document, the loader and one picture is a stranger', () => {
  expect(strangers()).toEqual([]);
  expect(strangers('/images/map-1.webp', '/static/js/loader.abc.js')).toEqual([]);
  expect(strangers('/images/map-1.webp', '/images/face-1.webp')).toEqual(['/images/face-1.webp']);
  expect(strangers('/searching', '/static/js/react.abc.js', '/static/css/a.css')).toHaveLength(3);
});

const category = (...ids: string[]) => ({ score: 1, auditRefs: ids.map((id) => ({ id })) });

test('a failed audit is named, that of the console with what was written there', () => {
  const sourceLocation = { url: 'http://localhost/static/js/loader.js' };
  const items = [{ source: 'network', description: 'Failed to load', sourceLocation }];
  const report: Report = {
    categories: {
      performance: category('slow'),
      accessibility: category('fine', 'unknown', 'informative'),
      'best-practices': category('errors-in-console'),
      seo: category('links'),
    },
    audits: {
      slow: { score: 0.2, title: 'Slow' },
      fine: { score: 1, title: 'Fine' },
      informative: { score: null, title: 'For information' },
      'errors-in-console': { score: 0, title: 'Errors in the console', details: { items } },
      links: { score: 0, title: 'Links', details: { items: [{ description: 'a link' }] } },
    },
  };
  expect(faultsOf(report, ['accessibility', 'best-practices', 'seo'])).toEqual([
    `best-practices: Errors in the console | network Failed to load ${sourceLocation.url}`,
    'seo: Links',
  ]);
});
