import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { open, send, signIn } from '../console-client.ts';
import { text } from '../page-text.ts';
import {
  day,
  db,
  emptyRollups,
  france,
  hour,
  insert,
  paid,
  step,
  tableRow,
  today,
} from './rollup-fixture.ts';

beforeEach(emptyRollups);

test('console overview: a time zone and filters keep the comparison of screens', async () => {
  const screen = 'checkout_v3_tr';
  const seen = (at: number, arrived: number, continued: number) => [
    step('days', at, 'exposure', 100),
    step('hours', at, 'exposure', 100),
    step('days', at, 'screen__load', arrived, { screen }),
    step('hours', at, 'screen__load', arrived, { screen }),
    step('days', at, 'button__continue', continued, { screen, bucket: 4 }),
    step('hours', at, 'button__continue', continued, { screen, bucket: 4 }),
  ];
  await insert([...seen(today - 12 * day, 100, 40), ...seen(today - 2 * day, 200, 50)]);
  const { cookie = '' } = await signIn();
  const zoned = { cookie: `${cookie}; __Host-console-time-zone=Europe/Berlin` };
  for (const [query, headers] of [
    ['period=7d', { cookie }],
    ['period=7d', zoned],
    ['period=7d&country=DE&device=ios', zoned],
  ] as const) {
    const html = await (await open(`/console?${query}`, { headers })).text();
    expect([query, tableRow(html, screen)]).toEqual([
      query,
      expect.stringContaining(
        'checkout_v3_tr 200 25.0% 40.0% −15.0 points from the previous period 150',
      ),
    ]);
  }
});

test('console overview: purchases and revenue of each country, and publications in the charts', async () => {
  await insert([
    step('days', today, 'exposure', 30),
    step('days', today, 'exposure', 4, { slice: france }),
    paid(today, 'purchase', 3, 0),
    paid(today, 'capture', 3, 9000),
  ]);
  await env.FUNNEL.put('documents/versions/config/20261120-1', '{}', {
    metadata: { time: '2026-11-20T08:00:00Z', who: 'ann@example.com', fingerprint: 'x' },
  });
  const html = await (await open('/console', { headers: await signIn() })).text();
  const countries = html.slice(html.indexOf('aria-label="Countries"'));
  expect(tableRow(countries, 'DE')).toBe('DE 30 3 10.0% $90.00 ');
  expect(tableRow(countries, 'FR')).toBe('FR 4 0 0% – ');
  expect(text(html)).toContain('1 publication, numbered in the charts');
  expect(html).toContain('Published: Experiments and flows by ann@example.com');
  await env.FUNNEL.delete('documents/versions/config/20261120-1');
});

test('console overview: a week uses the days of its time zone; longer periods state that their days are UTC', async () => {
  const berlin = (text: string) => Date.parse(`2026-11-${text}+01:00`);
  await insert([
    step('hours', berlin('20T23:00'), 'exposure', 4),
    step('hours', berlin('21T00:00'), 'exposure', 5),
    step('hours', berlin('15T23:00'), 'exposure', 50),
  ]);
  const headers = await signIn();
  const zoned = { cookie: `${headers.cookie}; __Host-console-time-zone=Europe/Berlin` };
  const week = await open('/console/overview.csv?period=7d', { headers: zoned });
  const rows = (await week.text()).trim().split('\r\n');
  expect(rows).toContain('"2026-11-20T00:00:00+01:00","4","0","0","0","0"');
  expect(rows).toContain('"2026-11-21T00:00:00+01:00","5","0","0","0","0"');
  expect(rows).toHaveLength(8);
  expect(rows[0]).toContain('"time, Europe/Berlin"');
  const page = async (query: string) =>
    (await open(`/console?${query}`, { headers: zoned })).text();
  expect(await page('period=7d')).toContain('2026-11-16 to 2026-11-22, Europe/Berlin');
  const month = await page('period=30d');
  expect(month).toContain('2026-10-24 to 2026-11-22, UTC.');
  expect(month).toContain('use UTC days');
});

test('console time zone: the choice is stored in a cookie and redirects to console pages only', async () => {
  const headers = await signIn();
  const choose = (zone: string, back: string) =>
    send('/console/time-zone', { zone, back }, { headers });
  const chosen = await choose('Asia/Tokyo', '/console?period=7d');
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/console?period=7d']);
  expect(chosen.headers.get('set-cookie')).toMatch(/console-time-zone=Asia%2FTokyo;.*HttpOnly/);
  for (const back of [
    '//evil.example',
    'https://evil.example',
    '/console\\evil',
    '/console/../x?\\',
  ]) {
    const away = await choose('Mars/Base', back);
    expect(away.headers.get('location')).toMatch(/^\/console/);
    expect(away.headers.get('set-cookie')).toContain('console-time-zone=UTC');
  }
});

test('console step: arrivals by country, language and device, errors, and web vitals', async () => {
  const screen = 'one_pager';
  await insert([
    step('days', today - day, 'screen__load', 30, { screen }),
    step('days', today - day, 'screen__load', 10, { screen, slice: france }),
    step('days', today - day, 'button__continue', 12, { screen, bucket: 4 }),
    step('days', today - day, 'input_refused', 6, { screen }),
    step('hours', today + 9 * hour, 'screen__load', 2, { screen, slice: france }),
    step('days', today - day, 'screen__load', 500, { screen: 'signup' }),
    step('days', today - 35 * day, 'screen__load', 10, { screen }),
    step('days', today - 35 * day, 'button__continue', 7, { screen, bucket: 4 }),
    step('days', today - 35 * day, 'input_refused', 2, { screen }),
    db
      .prepare(
        `INSERT INTO vitals VALUES (?, 'lcp', 'one_pager', 'ios', 'v', ${'0, '.repeat(15)}4, ${'0, '.repeat(7)}0)`,
      )
      .bind(today - day),
  ]);
  const headers = await signIn();
  const read = async (query: string) =>
    (await (await open(`/console/step?screen=one_pager&${query}`, { headers })).text())
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
  const all = await read('period=30d');
  expect(all).toContain('28.6% continued: 12 of 42 visits.');
  for (const row of [
    'DE 30 40.0% 70.0%',
    'FR 12 0% –',
    'en 42 28.6% 70.0% −41.4 points',
    'no campaign 42 28.6%',
  ])
    expect(all).toContain(row);
  expect(all).toContain('Input refused 6 14.3% 20.0%');
  expect(all).toContain('Largest paint');
  expect(all).toContain(' good 4');
  const french = await read('period=30d&country=FR');
  expect(french).toContain('0% continued: 0 of 12 visits.');
  expect(french).not.toContain('DE 30');
  expect((await open('/console/step?screen=%3Cb%3E', { headers })).status).toBe(404);
});
