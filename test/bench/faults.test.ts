import { expect, test } from 'vitest';
import { faultsOf, type Report } from './faults.ts';

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
