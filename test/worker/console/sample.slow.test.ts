import { env } from 'cloudflare:test';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { sampleCounts } from '../../../scripts/sample/counts.ts';
import { firstDay, insertSample, removeSample } from '../../../scripts/sample/insert.ts';
import { peopleRows } from '../../../scripts/sample/people.ts';
import { sampleVisits } from '../../../scripts/sample/visits.ts';
import type { Count } from '../../../worker/analytics/rules/count.ts';
import { liftText } from '../../../worker/console/experiments/rules/results.ts';
import { amountText, percentText } from '../../../worker/console/parts/figure-text.ts';
import { deviceName, sourceName } from '../../../worker/console/parts/rules/names.ts';
import { amountSample, liftInterval } from '../../../worker/experiments/rules/always-valid.ts';
import { builtInFlows } from '../../../worker/experiments/rules/flows.ts';
import { dayMs } from '../../../worker/platform/durations.ts';
import { open, signIn } from './console-client.ts';
import { rowOfId, tableRow, text } from './page-text.ts';
import {
  expectedFigures,
  figuresIn,
  is,
  isMoney,
  isNew,
  isRenewal,
  moneyOf,
  whole,
} from './sample-figures.ts';

const hourMs = 60 * 60_000;
const now = Date.UTC(2026, 10, 22, 10, 30);
/** Inserted in two parts, by a start yesterday and one today. */
const first = firstDay(now - dayMs);
const stores = { kv: env.FUNNEL, db: env.DB, analytics: env.ANALYTICS };
/** The sample's input, before any rollup. */
const raw = sampleVisits(first, now)
  .filter(({ at }) => at < now)
  .flatMap(sampleCounts)
  .filter(({ at }) => at < now);

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  await insertSample(stores, now - dayMs);
  await insertSample(stores, now);
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});

const people = peopleRows(
  sampleVisits(first, now).filter(({ at }) => at < now),
  now,
);

/** Figures without filters. @param from start of the period */
function expectedSubscriptions(from: number): Record<string, string> {
  const active = people.subscriptions.filter(({ status }) => status === 'active');
  const due = active.filter(
    ({ paid_until: until, cancel_at_period_end: ends }) =>
      ends === 0 && Number(until) >= now && Number(until) < now + 7 * dayMs,
  );
  const failed = people.failed_renewals.filter(({ failed_at: at }) => Number(at) >= from);
  const open = people.failed_renewals.filter(({ outcome }) => outcome === 'open');
  return {
    'Active subscriptions': whole.format(active.length),
    'Renewals due': whole.format(due.length),
    'Renewals failed': whole.format(failed.length),
    'Renewals still open': whole.format(open.length),
  };
}

test('console step: the sample’s failed purchases are in the errors of the screen', async () => {
  const screen = 'checkout_v3_tr';
  const failed = new Set(
    raw
      .filter((one) => one.step === 'subs_purchase_failed' && one.screen === screen)
      .map(({ visit }) => visit),
  );
  const declined = raw.filter(({ step }) => step === 'declined');
  expect(raw.filter(is('subs_purchase_failed'))).toHaveLength(declined.length);
  const html = await (
    await open(`/console/step?screen=${screen}&period=90d`, { headers: await signIn() })
  ).text();
  expect(failed.size).toBeGreaterThan(0);
  expect(tableRow(html, 'Payment failed')).toMatch(new RegExp(`^Payment failed ${failed.size} `));
});

const today = now - (now % dayMs);
test.each<[string, (count: Count) => boolean]>([
  ['period=90d', () => true],
  ['period=30d', ({ at }) => at >= today - 29 * dayMs],
  ['period=7d', ({ at }) => at >= today - 6 * dayMs],
  ['period=24h', ({ at }) => at >= now - (now % hourMs) - 23 * hourMs],
  ['period=90d&country=DE', ({ slice }) => slice.country === 'DE'],
  [
    'period=90d&language=en&device=ios',
    ({ slice: { language, device } }) => language === 'en' && device === 'ios',
  ],
  ['period=90d&source=tiktok', ({ slice }) => slice.source === 'tiktok'],
  ['period=90d&variant=intro%2F7d', ({ slice }) => slice.variant === 'intro/7d'],
  [
    'period=90d&landing=one_pager_ai',
    ({ slice }) => builtInFlows[slice.flow]?.[0] === 'one_pager_ai',
  ],
])('console overview: every figure of %s equals the sum of the raw sample', async (query, test) => {
  const html = await (await open(`/console?${query}`, { headers: await signIn() })).text();
  const days =
    { '24h': 1, '7d': 7, '30d': 30, '90d': 90 }[/\w+(?=&|$)/.exec(query)?.[0] ?? ''] ?? 0;
  const from = days === 1 ? now - (now % hourMs) - 23 * hourMs : today - (days - 1) * dayMs;
  expect(figuresIn(html)).toEqual({
    ...expectedFigures(raw.filter(test)),
    ...expectedSubscriptions(from),
  });
});

test('console overview: screens and variants equal the sums of the raw sample', async () => {
  const page = await (await open('/console?period=90d', { headers: await signIn() })).text();
  const html = page.slice(page.indexOf('aria-label="Funnel"'));
  for (const screen of new Set(raw.map(({ screen }) => screen).filter(Boolean))) {
    const on = raw.filter((count) => count.screen === screen);
    const [arrived = 0, continued = 0] = ['screen__load', 'button__continue'].map(
      (step) => on.filter(is(step)).length,
    );
    const isExtra = screen.startsWith('upsell');
    const bought = raw.filter(
      ({ step, payment }) => step === 'purchase' && payment?.slot === 'upsell',
    ).length;
    const share =
      screen === 'success'
        ? ''
        : isExtra
          ? `accepted ${percentText(bought, arrived)}`
          : percentText(continued, arrived);
    expect(rowOfId(html, screen)).toContain(`${screen} `);
    expect(rowOfId(html, screen)).toContain(` ${whole.format(arrived)} ${share}`.trimEnd());
  }
  for (const variant of new Set(raw.map(({ slice }) => slice.variant))) {
    const of = raw.filter(({ slice }) => slice.variant === variant);
    const visitors = whole.format(of.filter(is('exposure')).length);
    const signUps = whole.format(of.filter(is('sign_up')).length);
    expect(tableRow(html, variant)).toContain(`${variant} ${visitors} ${signUps} `);
  }
});

test('console overview: every figure of a landing equals the sum of the raw sample', async () => {
  const html = await (await open('/console?period=90d', { headers: await signIn() })).text();
  const landings = Map.groupBy(raw, ({ slice }) => builtInFlows[slice.flow]?.[0] ?? '');
  expect(landings.size).toBeGreaterThan(1);
  const rates: Record<string, number> = { USD: 1, EUR: 1.1 };
  for (const [landing, own] of landings) {
    const visitors = own.filter(is('exposure')).length;
    const purchases = own.filter(
      ({ step, payment }) => step === 'purchase' && payment?.slot === 'main',
    ).length;
    const revenue = own.filter(isNew).reduce((sum, one) => {
      const minor = (one.payment?.amount ?? 0) * (rates[one.payment?.currency ?? ''] ?? 0);
      return sum + (one.step === 'capture' ? minor : -minor);
    }, 0);
    const row = rowOfId(html.slice(html.indexOf('aria-label="Landings"')), landing);
    expect(row).toMatch(
      new RegExp(`^${landing} ${whole.format(visitors)} ${whole.format(purchases)} `),
    );
    expect(row).toContain(` ${amountText(revenue / visitors, 'USD')}`);
    expect(row).toMatch(/% \([\d.]+% to [\d.]+%\) \S+ \(\S+ to \S+\)$/);
  }
  expect(text(html)).toContain('Fair comparison by an experiment: sample-landing , one_pager');
});

test('console step: every figure of a screen equals the sum of the raw sample', async () => {
  const headers = await signIn();
  for (const [screen, query, test] of [
    ['one_pager', '', () => true],
    ['signup', '&country=DE', ({ slice }: Count) => slice.country === 'DE'],
  ] as const) {
    const path = `/console/step?period=90d&screen=${screen}${query}`;
    const html = await (await open(path, { headers })).text();
    const own = raw.filter((count) => count.screen === screen && test(count));
    const numberOf = (counts: readonly Count[], step: string) => counts.filter(is(step)).length;
    const countOf = (counts: readonly Count[], step: string) =>
      whole.format(numberOf(counts, step));
    for (const name of ['country', 'language', 'device', 'source'] as const) {
      for (const [value, counts] of Map.groupBy(own, ({ slice }) => slice[name])) {
        const [arrived = 0, continued = 0] = ['screen__load', 'button__continue'].map((step) =>
          numberOf(counts, step),
        );
        const shown =
          name === 'device' ? deviceName(value) : name === 'source' ? sourceName(value) : value;
        const row = rowOfId(html, value) || tableRow(html, shown || 'no campaign');
        const share = percentText(continued, arrived);
        expect(row).toContain(` ${whole.format(arrived)} ${share} `);
      }
    }
    expect(tableRow(html, 'Input refused')).toContain(` ${countOf(own, 'input_refused')} `);
    expect(tableRow(html, 'Script failed to load')).toContain(` ${countOf(own, 'chunk_failed')} `);
    const measured = raw.filter(({ screen: on, vitals }) => on === screen && vitals?.inp);
    expect(tableRow(html, 'Response to input')).toMatch(
      new RegExp(` ${whole.format(measured.length)}$`),
    );
  }
});

test('console sample: every page and export is labelled as sample data, never in production', async () => {
  const headers = await signIn();
  for (const path of ['', '/experiments', '/versions', '/people', '/audit'])
    expect(await (await open(`/console${path}`, { headers })).text()).toContain('Sample data:');
  const csv = await open('/console/audit.csv', { headers });
  expect(csv.headers.get('content-disposition')).toContain('"sample-audit.csv"');
  const visit = { headers, more: { ENVIRONMENT: 'production' } };
  expect((await open('/console', visit)).status).toBe(404);
});

test('console sample: the newest experiment is paused, so pages look as without a sample; its results stay', async () => {
  expect(JSON.parse((await env.FUNNEL.get('config.json')) ?? '').variants).toMatchObject([
    { key: 'fullPrice', weight: 100, flow: 'default' },
    { key: 'intro/7d', weight: 0 },
  ]);
  const html = await (await open('/console/experiments', { headers: await signIn() })).text();
  expect(html).toContain('value="sample-paywall"');
  expect(tableRow(html, 'Flow')).toBe('Flow default lp11ch8');
  expect(tableRow(html.slice(html.indexOf('Results of sample-paywall')), 'Purchases')).toMatch(
    /^Purchases \d+ \d+$/,
  );
  expect(html).not.toContain('do not match the shares');
  expect(text(html)).toContain('Later visits and payments are not counted.');
});

test('console results: every experiment of the sample is shown, with guardrails and development over time', async () => {
  const headers = await signIn();
  const html = await (
    await open('/console/experiments?experiment=sample-landing', { headers })
  ).text();
  const seen = ['fullPrice', 'people'].map((arm) => {
    const own = raw.filter(
      ({ step, slice: { experiment, variant } }) =>
        step === 'exposure' && experiment === 'sample-landing' && variant === arm,
    );
    return whole.format(own.length);
  });
  expect(tableRow(html, 'Visitors')).toBe(`Visitors ${seen.join(' ')}`);
  for (const words of [
    'Sign-ups per visitor',
    'Refunds per purchase',
    'who had bought by each day',
  ])
    expect(html).toContain(words);
  const guardrails = html.slice(html.indexOf('aria-label="Guardrails"'));
  for (const arm of ['fullPrice', 'people']) {
    const own = raw.filter(
      ({ slice }) => slice.experiment === 'sample-landing' && slice.variant === arm,
    );
    const [declined, tried] = [own.filter(is('declined')).length, own.filter(is('attempt')).length];
    expect(tableRow(guardrails, 'Declines per attempt')).toContain(
      `${percentText(declined, tried)} ${declined} of ${tried}`,
    );
  }
  const rates: Record<string, number> = { USD: 1, EUR: 1.1 };
  const compared = [];
  for (const arm of ['fullPrice', 'people']) {
    const own = raw.filter(
      ({ slice }) => slice.experiment === 'sample-landing' && slice.variant === arm,
    );
    const visitors = own.filter(is('exposure')).length;
    const byCurrency = Map.groupBy(own.filter(isMoney), ({ payment }) => payment?.currency ?? '');
    let [sum, squares] = [0, 0];
    for (const [currency, counts] of byCurrency) {
      // A count's id starts with its visit's.
      const roots = [isNew, isRenewal].map((test) => {
        const visits = Map.groupBy(counts.filter(test), ({ id }) => id.slice(0, id.indexOf(' ')));
        const sums = [...visits.values()].map((one) => moneyOf(one).get(currency) ?? 0);
        return Math.sqrt(sums.reduce((all, each) => all + each ** 2, 0));
      });
      const rate = rates[currency] ?? 0;
      sum += (moneyOf(counts).get(currency) ?? 0) * rate;
      squares += (roots.reduce((all, root) => all + root, 0) * rate) ** 2;
    }
    expect(tableRow(html, 'Revenue per visitor of the test')).toContain(
      ` ${amountText(sum / visitors, 'USD')}`,
    );
    compared.push(amountSample(sum, squares, visitors));
  }
  const [control, treated] = compared;
  // The error of 5% is divided among the three measures of the only compared variant.
  const lift = control && treated ? liftInterval(control, treated, { alpha: 0.05 / 3 }) : null;
  expect(text(html)).toContain(`Revenue per visitor ${liftText(lift)}`);
  expect(text(html)).toContain('Revenue per visitor is in USD at 1 EUR = 1.1 USD of 2026-09-23.');
  expect(html).not.toContain('The test has ended');
  const [, countedUntil = ''] = /Counted until <time dateTime="([^"]+)"/i.exec(html) ?? [];
  expect(Date.parse(countedUntil)).toBeLessThanOrEqual(Date.now() - 2 * 60_000);
  const unknown = await open('/console/experiments?experiment=%3Cb%3E', { headers });
  expect(await unknown.text()).toContain('” yet.');
});

test('console results: new revenue and renewals of the sample’s variants equal the raw sample’s', async () => {
  const headers = await signIn();
  const shownOf = (counts: readonly Count[]) =>
    [...moneyOf(counts)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, minor]) => amountText(minor, currency))
      .join(' ') || '–';
  // The first start paused the newest experiment; its results end before that hour.
  const paused = now - dayMs;
  const end = paused - (paused % hourMs);
  for (const experiment of ['sample-landing', 'sample-paywall']) {
    const html = await (
      await open(`/console/experiments?experiment=${experiment}`, { headers })
    ).text();
    const arms = Map.groupBy(
      raw.filter(
        ({ slice, at }) =>
          slice.experiment === experiment && (experiment === 'sample-landing' || at < end),
      ),
      ({ slice }) => slice.variant,
    );
    expect(arms.size).toBeGreaterThan(1);
    const counts = [...arms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, own]) => own);
    for (const [name, isOwn] of [
      ['First payments', isNew],
      ['Renewals', isRenewal],
    ] as const) {
      const cells = counts.map((own) => shownOf(own.filter(isOwn)));
      expect(tableRow(html, name)).toBe(`${name} ${cells.join(' ')}`);
    }
  }
  expect(raw.some((one) => isRenewal(one) && one.slice.experiment === 'sample-paywall')).toBe(true);
});

test('console money: every amount by currency and provider equals the raw sample’s', async () => {
  const html = await (await open('/console/money?period=90d', { headers: await signIn() })).text();
  for (const currency of ['EUR', 'USD']) {
    for (const provider of ['braintree', 'stripe']) {
      const sum = (step: string) =>
        raw
          .filter((one) => one.step === step && one.provider === provider)
          .reduce(
            (all, { payment }) => all + (payment?.currency === currency ? payment.amount : 0),
            0,
          );
      const [captured, refunded, disputed] = [sum('capture'), sum('refund'), sum('dispute')];
      const amounts = [captured, refunded, disputed, captured - refunded - disputed].map((one) =>
        amountText(one, currency),
      );
      const name = `${currency} at ${provider === 'stripe' ? 'Stripe' : 'Braintree'}`;
      expect(tableRow(html, name)).toBe([name, ...amounts].join(' '));
    }
  }
});

test('console offers: every variant of the sample has the texts of its page and the charged amounts', async () => {
  const headers = await signIn();
  const html = text(await (await open('/console/offers?country=DE&lng=de', { headers })).text());
  expect(html).toContain(' monthly_7d ');
  expect(html).toMatch(/6,99.€ für 7 Tage/);
  expect(html).toContain(' quarterly ');
});

test('console sample: a fully refunded buyer is not charged again', async () => {
  const { results } = await stores.db
    .prepare(
      `SELECT cancel_at_period_end AS ends FROM subscriptions JOIN ledger USING (attempt_id)
       GROUP BY attempt_id HAVING sum(iif(kind = 'capture', ledger.amount, -ledger.amount)) = 0
         AND sum(kind = 'refund') > 0`,
    )
    .all<{ ends: number }>();
  expect(results.length).toBeGreaterThan(5);
  expect(new Set(results.map(({ ends }) => ends))).toEqual(new Set([1]));
});

test('console sample: removing it leaves nothing behind', async () => {
  await removeSample(stores);
  const html = await (await open('/console', { headers: await signIn() })).text();
  expect(html).not.toContain('Sample data:');
  expect(html).toContain('No visitors were counted in this period.');
  expect(await env.DB.prepare('SELECT count(*) AS n FROM accounts').first('n')).toBe(0);
  expect(await env.FUNNEL.get('config.json')).toContain('built-in');
});
