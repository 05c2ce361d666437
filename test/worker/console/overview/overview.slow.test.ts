import type { D1PreparedStatement } from '@cloudflare/workers-types';
import { beforeEach, expect, test } from 'vitest';
import {
  armCounts,
  countsBeside,
  countsOf,
  screenCounts,
} from '../../../../worker/console/overview/overview-table.ts';
import { reportPeriodOf } from '../../../../worker/console/parts/rules/period.ts';
import { open, signIn } from '../console-client.ts';
import { text } from '../page-text.ts';
import {
  day,
  db,
  emptyRollups,
  france,
  germany,
  hour,
  insert,
  now,
  paid,
  step,
  tableRow,
  textAfter,
  today,
} from './rollup-fixture.ts';

beforeEach(emptyRollups);

test('console overview: figures add compiled days and the later hours, each counted once', async () => {
  await insert([
    // In `days` and in `hours`: counted once.
    step('days', today, 'exposure', 40),
    step('hours', today + 8 * hour, 'exposure', 40),
    // Not in `days` yet.
    step('hours', today + 9 * hour, 'exposure', 2),
    step('days', today - 3 * day, 'exposure', 100),
    step('days', today - 55 * day, 'exposure', 71),
    step('days', today - 3 * day, 'sign_up', 10),
    paid(today - 3 * day + 5 * hour, 'purchase', 4, 0),
    paid(today - 3 * day + 5 * hour, 'purchase', 3, 0, 'USD', 'upsell'),
    paid(today - 3 * day + 5 * hour, 'capture', 7, 12_345),
    paid(today + 2 * hour, 'refund', 1, 345),
    paid(today + 2 * hour, 'capture', 1, 999, 'EUR'),
  ]);
  const html = await (await open('/console?period=30d', { headers: await signIn() })).text();
  expect(textAfter(html, 'Visitors')).toContain('142 +100.0% from the previous period');
  expect(textAfter(html, 'Sign-ups')).toContain('10 none in the previous period');
  expect(textAfter(html, 'Purchases')).toContain(' 4 ');
  expect(textAfter(html, 'Net revenue, USD')).toContain('$120.00');
  expect(textAfter(html, 'Net revenue, EUR')).toContain('€9.99');
  expect(text(html)).toContain('2.8% of visitors bought: 4 of 142.');
  expect(textAfter(html, 'Refunds')).toContain('12.5%');
  expect(text(html)).toContain('1 of 8 payments, in whole or in part');
});

test('console overview: purchases of visitors who are not counted are no share of any', async () => {
  await insert([paid(today - 3 * day, 'purchase', 1, 0)]);
  const html = await (await open('/console?period=30d', { headers: await signIn() })).text();
  expect(text(html)).toContain(
    '1 bought. Visitors counted: 0, without previews, bots and those who refuse measuring.',
  );
});

test('console overview: no comparison is shown if counting began during the previous period', async () => {
  await insert([
    step('days', today - 3 * day, 'exposure', 100),
    step('days', today - 31 * day, 'exposure', 4),
  ]);
  const html = await (await open('/console?period=30d', { headers: await signIn() })).text();
  expect(html).toContain('The previous period has too little data for a comparison.');
  expect(html).not.toContain('from the previous period');
});

test('console overview: the hourly view of a day reads hourly rows only', async () => {
  await insert([
    step('hours', today + 8 * hour, 'exposure', 40),
    step('hours', today - 9 * hour, 'exposure', 5),
    step('days', today, 'exposure', 400),
  ]);
  const html = await (await open('/console?period=24h', { headers: await signIn() })).text();
  expect(textAfter(html, 'Visitors')).toContain(' 45 ');
});

test('console overview: screens show arrivals, continuations (also of earlier arrivals) and the median time', async () => {
  await insert([
    step('days', today, 'screen__load', 200, { screen: 'checkout_v3_tr' }),
    step('days', today, 'button__continue', 30, { screen: 'checkout_v3_tr', bucket: 4 }),
    step('days', today, 'button__continue', 20, { screen: 'checkout_v3_tr', bucket: 10 }),
    step('days', today - 40 * day, 'screen__load', 100, { screen: 'checkout_v3_tr' }),
    step('days', today - 40 * day, 'button__continue', 40, { screen: 'checkout_v3_tr', bucket: 4 }),
  ]);
  const html = await (await open('/console', { headers: await signIn() })).text();
  // The figures before need a period that can be compared.
  expect(tableRow(html, 'checkout_v3_tr')).toContain('checkout_v3_tr 200 25.0% 150 1.2 s');
});

test('console overview: an extra shows who accepted it, because who declines it also goes on', async () => {
  await insert([
    step('days', today, 'screen__load', 40, { screen: 'upsell_an_private' }),
    step('days', today, 'button__continue', 40, { screen: 'upsell_an_private', bucket: 4 }),
    paid(today, 'purchase', 6, 0, 'USD', 'upsell'),
    paid(today, 'purchase', 30, 0),
  ]);
  const html = await (await open('/console', { headers: await signIn() })).text();
  expect(tableRow(html, 'upsell_an_private')).toContain('40 accepted 15.0% ');
});

test('console overview: filters keep one country or variant', async () => {
  await insert([
    step('days', today, 'exposure', 3),
    step('days', today, 'exposure', 4, { slice: france }),
  ]);
  const headers = await signIn();
  for (const [query, visitors] of [
    ['', 7],
    ['country=FR', 4],
    ['variant=a', 3],
    ['country=FR&variant=a', 0],
    ['country=FR&variant=b', 4],
    ['landing=one_pager', 7],
    ['landing=one_pager&country=DE', 3],
    ['landing=one_pager_ai', 0],
    ["country=' OR 1=1 --", 0],
  ] as const) {
    const html = await (await open(`/console?${new URLSearchParams(query)}`, { headers })).text();
    expect([query, textAfter(html, 'Visitors')]).toEqual([
      query,
      expect.stringContaining(` ${visitors} `),
    ]);
    // Variants, landings and countries add up to the same visitors.
    const counted = ['Variants', 'Landings', 'Countries'].map((title) => {
      const [table = ''] = html.slice(html.indexOf(`aria-label="${title}"`)).split('</table>');
      const rows = table.matchAll(/<th scope="row">.*?<\/th><td[^>]*>(\d+)/g);
      return [...rows].reduce((sum, [, visits]) => sum + Number(visits), 0);
    });
    expect([query, ...counted]).toEqual([query, visitors, visitors, visitors]);
  }
});

test('console overview: an experiment is listed if it has visitors in the period and filters', async () => {
  const slice = db.prepare("INSERT INTO slices VALUES (?, ?, 'past', ?, 'DE', 'en', 'ios', '', ?)");
  const [one, other] = [3, 4].map((id) => ({ ...germany, id }));
  await db.batch([
    slice.bind(3, 'default', 'a', 'one_pager'),
    slice.bind(4, 'lp17ch17pr5', 'b', 'one_pager_all'),
  ]);
  await insert([
    step('days', today, 'exposure', 3),
    step('days', today, 'exposure', 3, { slice: france }),
    step('days', today - 40 * day, 'exposure', 5, { slice: one }),
    step('days', today - 40 * day, 'exposure', 5, { slice: other }),
  ]);
  const headers = await signIn();
  const [first, last] = [today - 41 * day, today - 39 * day].map((at) =>
    new Date(at).toISOString().slice(0, 10),
  );
  for (const [query, isNamed] of [
    ['period=90d', true],
    ['period=90d&country=DE', true],
    ['period=90d&country=FR', false],
    [`from=${first}&to=${last}`, true],
    ['period=30d', false],
    ['period=24h', false],
  ] as const) {
    const html = await (await open(`/console?${query}`, { headers })).text();
    expect([query, html.includes('>past</a>, one_pager versus one_pager_all')]).toEqual([
      query,
      isNamed,
    ]);
    expect([query, /<td[^>]*data-label="Experiments">[^<]*past/.test(html)]).toEqual([
      query,
      isNamed,
    ]);
  }
});

test('console overview: the CSV has the figures by time', async () => {
  await insert([step('days', today - day, 'exposure', 3), step('days', today, 'exposure', 4)]);
  const response = await open('/console/overview.csv?period=7d', { headers: await signIn() });
  const rows = (await response.text()).trim().split('\r\n');
  expect(rows[0]).toBe('"time, UTC","Visitors","Sign-ups","Purchases","Refunds","Declines"');
  expect(rows.slice(-2)).toEqual([
    '"2026-11-21T00:00:00+00:00","3","0","0","0","0"',
    '"2026-11-22T00:00:00+00:00","4","0","0","0","0"',
  ]);
});

test('console overview: without visits a message says so', async () => {
  const html = await (await open('/console', { headers: await signIn() })).text();
  expect(html).toContain('No visitors were counted in this period.');
  // A script sends the form as soon as a filter changes.
  expect(html).toMatch(/<form[^>]*data-apply=""[^>]*>.*<noscript><button type="submit"/);
});

test('console overview: a custom period counts only its days', async () => {
  await insert([
    step('days', today - 3 * day, 'exposure', 1),
    step('days', today - 2 * day, 'exposure', 2),
    step('days', today - day, 'exposure', 4),
  ]);
  const iso = (time: number) => new Date(time).toISOString().slice(0, 10);
  const query = { from: iso(today - 3 * day), to: iso(today - 2 * day) };
  const { steps } = await countsOf(db, reportPeriodOf(query, now), {});
  expect(steps.map(({ visits }) => visits)).toEqual([1, 2]);
});

test('console overview: the number of rows read does not grow with filter combinations', async () => {
  const days = 30;
  const combinations = 60;
  await db.batch(
    Array.from({ length: combinations }, (_, at) =>
      db
        .prepare("INSERT INTO slices VALUES (?, 'default', 'e', 'a', ?, ?, 'ios', '', 'one_pager')")
        .bind(100 + at, `C${at % 6}`, `l${Math.floor(at / 6)}`),
    ),
  );
  const period = reportPeriodOf({ period: '30d' }, now);
  let rows = 0;
  let statements = 0;
  const batch = async (all: D1PreparedStatement[]) => {
    const results = await db.batch(all);
    for (const { meta } of results) rows += meta.rows_read;
    statements += all.length;
    return results;
  };
  const prepare = (sql: string) => ({
    bind: (...values: unknown[]) => {
      const bound = db.prepare(sql).bind(...values);
      return Object.assign(bound, { all: async () => (await batch([bound]))[0] });
    },
  });
  const counted = { batch, prepare } as unknown as typeof db;
  const read = async (filters: Parameters<typeof armCounts>[2]) => {
    rows = 0;
    statements = 0;
    await countsBeside(counted, period, filters);
    const screens = await screenCounts(counted, period, filters);
    await armCounts(counted, period, filters);
    // Arrivals and money, with the previous period; screens; arrivals by variant and by flow.
    expect(statements).toBe(4);
    return { rows, visits: screens.reduce((sum, { visits }) => sum + visits, 0) };
  };
  // Rows that only the calendars of hours and days read.
  const none = await read({});
  await insert(
    Array.from({ length: days * combinations }, (_, at) =>
      step('days', today - (at % days) * day, 'screen__load', 1, {
        screen: 'one_pager',
        slice: { id: 100 + Math.floor(at / days) },
      }),
    ),
  );
  const everybody = await read({});
  expect(everybody.visits).toBe(days * combinations);
  // One row per day and variant, and one at the end of each search for arrivals, by three dimensions; `days` has 60.
  expect(everybody.rows - none.rows).toBeLessThan(days * 12);
  const country = await read({ country: 'C1' });
  expect(country.visits).toBe((days * combinations) / 6);
  // One row per day for each of six countries.
  expect(country.rows - none.rows).toBeLessThan(days * 20);
  expect((await read({ country: 'C1', language: 'l1' })).visits).toBe(days);
});
