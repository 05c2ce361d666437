import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CountInput } from '../../../worker/analytics/rules/count.ts';
import { contentSet } from '../../../worker/content/content-set.ts';
import { texts as englishTexts } from '../../../worker/content/english.ts';
import type { DocumentSet, Documents } from '../../../worker/documents/document-set.ts';
import { newPublication, publishVersion } from '../../../worker/documents/document-store.ts';
import { namespaceKv } from '../../../worker/documents/kv.ts';
import { readLive } from '../../../worker/documents/live-documents.ts';
import { documentKey } from '../../../worker/documents/manifest.ts';
import { configSet } from '../../../worker/experiments/config-set.ts';
import { frozenWithFix } from '../../../worker/experiments/holdout-fix.ts';
import { createPreview } from '../../../worker/experiments/preview.ts';
import { pageLanguages } from '../../../worker/experiments/rules/experiments-schema.ts';
import { holdoutName } from '../../../worker/experiments/rules/holdout.ts';
import { bucketOf } from '../../../worker/experiments/rules/split.ts';
import { asSynthetic } from '../../../worker/platform/env.ts';
import { consentValue } from '../../../worker/visitor/rules/consent.ts';
import { idOfKey, newVisitorKey } from '../../../worker/visitor/visitor-key.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { withSecondMonthly } from '../../second-version.ts';
import { attributes } from '../open-page.ts';
import { stubStripe } from '../payments/payments-fixture.ts';
import { card, pollUntilDone, stubOf } from '../payments/purchase-helpers.ts';
import { recordingQueue } from '../queue.ts';
import { post, request } from '../request.ts';
import { written } from './experiment-of.ts';

const warm = { CONFIG_CACHE_SECONDS: '0' };
const browser = { 'accept-language': 'en', 'user-agent': 'Mozilla/5.0 (iPhone)' };
const minute = 60_000;
const titleKey = 'screens.landing.one_pager.title';
const signUpKey = 'screens.signup.title';
const termKey = 'screens.summary.today';
const { sms: _, ...english } = englishTexts;
const texts = contentSet(() => english);
const textsOf = (title: string, more: object = {}) => ({
  'en.json': JSON.stringify({ [titleKey]: title, ...more }),
});
const offer = { plans: ['monthly'], upsell: 'upsell_monthly_799', guide: 'guide_899' };
const configOf = (experiment: string, weights: [number, number], more: object = {}) => ({
  'config.json': JSON.stringify({
    experiment,
    variants: [
      { key: 'fullPrice', weight: weights[0], flow: 'default' },
      { key: 'intro/7d', weight: weights[1], flow: 'lp11ch8' },
    ],
    offers: { fullPrice: offer, intro: { ...offer, plans: ['monthly_7d'] } },
    ...more,
  }),
  'flows.json': JSON.stringify({ flows: {} }),
});
const headline = written('headline', {
  variants: [
    { key: 'control', weight: 0 },
    {
      key: 'b',
      weight: 100,
      changes: {
        texts: Object.fromEntries(pageLanguages.map((tag) => [tag, { [titleKey]: 'Tested.' }])),
      },
    },
  ],
});

const kv = namespaceKv(env.FUNNEL as never);
async function publish(set: DocumentSet, next: Documents, isFix = false): Promise<string> {
  const live = await readLive(kv, set);
  const frozen = isFix ? await frozenWithFix(kv, set, live, next) : null;
  const publication = newPublication(set, next, live, { who: 'ann', now: new Date(), frozen });
  await publishVersion(kv, publication);
  return publication.release.version;
}

const day = 24 * 60 * minute;
const at = (ms: number) => new Date(ms).toISOString();
let base = { version: '', texts: '' };
let runs = 0;
let holdout = { share: 50, ...base, starts: '', ends: '' };

const splitNow = () => `split${runs}`;
/** The live documents: another price, a split, an experiment, and the holdout. */
async function run(more: object = {}, weights: [number, number] = [50, 50]) {
  runs += 1;
  holdout = {
    share: 50,
    ...base,
    starts: at(Date.now() - day),
    ends: at(Date.now() + day),
    ...more,
  };
  const experiments = { experiments: [headline], ...('share' in holdout && { holdout }) };
  await publish(configSet, {
    ...configOf(splitNow(), weights),
    'catalog.json': JSON.stringify(withSecondMonthly({ prices: { USD: 49.99, EUR: 44.99 } })),
    'experiments.json': JSON.stringify(experiments),
  });
  await served();
}

const served = () =>
  vi.waitFor(async () => {
    const response = await request('/config.json', {}, warm);
    expect(await response.text()).toContain(`"${splitNow()}"`);
  }, pollTimeout);

beforeEach(async () => {
  for (const { name } of (await env.FUNNEL.list()).keys) await env.FUNNEL.delete(name);
  base = {
    version: await publish(configSet, configOf('before', [100, 0])),
    texts: await publish(texts, textsOf('Old.', { [signUpKey]: 'Old sign-up' })),
  };
  await publish(texts, textsOf('New.', { [termKey]: 'Due now' }));
  await vi.waitFor(async () => {
    const response = await request('/one_pager', { headers: browser }, warm);
    expect(await response.text()).toContain('New.');
  }, pollTimeout);
});

/** A browser that the draw puts into the holdout, or not. @param age of its key */
function browserOf(variant: 'in' | 'out', age = 0): string {
  for (;;) {
    const made = newVisitorKey();
    const seen = Math.floor((Date.now() - age) / minute).toString(36);
    const key = `${made.slice(0, 22)}${seen}`;
    const id = idOfKey(key);
    const isIn = bucketOf(holdoutName(holdout), id) < 50;
    if (isIn === (variant === 'in')) return `visitorKey=${key}; userUuid=${id}`;
  }
}

async function visit(
  cookie: string,
  { path = '/one_pager', headers = {} as Record<string, string>, more = {} as object } = {},
) {
  const { sent, queue } = recordingQueue<CountInput>();
  const bindings = { ...more, ...warm, EXPOSURE_QUEUE: queue };
  const response = await request(path, { headers: { ...browser, ...headers, cookie } }, bindings);
  const html = await response.text();
  const cookies = response.headers.getSetCookie().map((each) => decodeURIComponent(each));
  const named = (name: string) =>
    cookies
      .find((each) => each.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .split(/[;]/)[0];
  const { 'data-arm': arm, 'data-flow': flow } = attributes(html, 'main');
  const [, cache] = /cache;desc=(\w+)/.exec(response.headers.get('server-timing') ?? '') ?? [];
  return {
    shown: `${arm} ${flow} ${/Old\.|New\.|Tested\./.exec(html)?.[0]}`,
    counts: sent.map(({ slice: { experiment, variant } }) => `${experiment}:${variant}`).sort(),
    arms: named('arms'),
    arm: named('arm')?.split('.')[0],
    html,
    cache,
  };
}

const tested = (arm: string) => (arm === 'fullPrice' ? 'fullPrice default' : `${arm} lp11ch8`);
const drawnArm = (cookie: string) =>
  bucketOf(splitNow(), /userUuid=([^;]+)/.exec(cookie)?.[1] ?? '') < 50 ? 'fullPrice' : 'intro/7d';

const consents: [string, Record<string, string>, string, boolean][] = [
  ['not asked', { 'cf-ipcountry': 'US' }, '', true],
  ['given', { 'cf-ipcountry': 'DE' }, `; consent=${consentValue('yes')}`, true],
  ['refused', { 'cf-ipcountry': 'DE' }, `; consent=${consentValue('no')}`, false],
];

describe('holdout: what a visitor sees, counts for and gets as cookies', () => {
  test.each(consents)('running, consent %s', async (_name, headers, choice, isStored) => {
    await run();
    const name = holdoutName(holdout);
    const member = browserOf('in') + choice;
    const seen = await visit(member, { headers });
    expect(seen).toMatchObject({
      shown: 'fullPrice default Old.',
      arm: undefined,
      arms: isStored ? `${name}:in` : undefined,
    });
    // Without permission the id's first screen counts, and this id was given before.
    expect(seen.counts).toEqual(isStored ? [`${name}:in`] : []);
    const other = browserOf('out') + choice;
    const arm = drawnArm(other);
    const out = await visit(other, { headers });
    expect(out).toMatchObject({
      shown: `${tested(arm)} Tested.`,
      arm: isStored ? `${splitNow()}:${arm}` : undefined,
      arms: isStored ? `${name}:out.headline:b` : undefined,
    });
    expect(out.counts).toEqual(
      isStored ? ['headline:b', `${name}:out`, `${splitNow()}:${arm}`].sort() : ['headline:b'],
    );
    for (const variant of ['in', 'out'] as const) {
      const early = browserOf(variant, 2 * day) + choice;
      const back = await visit(early, { headers });
      expect(back.shown).toBe(`${tested(drawnArm(early))} Tested.`);
      expect(back.counts.filter((each) => each.startsWith('holdout'))).toEqual([]);
    }
  });

  test.each<[string, object]>([
    ['waiting', { starts: at(Date.now() + day) }],
    ['ended', { ends: at(Date.now() - minute) }],
  ])('%s: everybody gets the live base', async (_name, more) => {
    await run({ starts: at(Date.now() - 2 * day), ends: at(Date.now() + 2 * day), ...more });
    for (const variant of ['in', 'out'] as const) {
      const cookie = browserOf(variant);
      const { shown, counts } = await visit(`${cookie}; arms=${holdoutName(holdout)}%3Ain`);
      expect(shown).toBe(`${tested(drawnArm(cookie))} Tested.`);
      expect(counts).toEqual(['headline:b', `${splitNow()}:${drawnArm(cookie)}`]);
    }
  });

  test('without a running split members keep the base, and others get the only variant', async () => {
    await run({}, [0, 100]);
    expect((await visit(browserOf('in'))).shown).toBe('fullPrice default Old.');
    expect((await visit(browserOf('out'))).shown).toBe('intro/7d lp11ch8 Tested.');
  });

  test('skip_split, previews and the synthetic visitor get the live base and count nowhere', async () => {
    await run();
    const token = await createPreview(env.FUNNEL as never, { arm: 'fullPrice' }, 60);
    for (const variant of ['in', 'out'] as const) {
      const cookie = browserOf(variant);
      for (const asked of [
        { path: '/one_pager?skip_split=true' },
        { path: `/one_pager?preview=${token}` },
        { more: asSynthetic(env) },
      ])
        expect(await visit(cookie, asked)).toMatchObject({
          shown: 'fullPrice default New.',
          counts: [],
          arms: undefined,
        });
    }
  });

  test('prefetches and bots see the base and count nowhere', async () => {
    await run();
    const unseen: Record<string, string>[] = [
      { 'sec-purpose': 'prefetch' },
      { 'user-agent': 'Googlebot/2.1' },
    ];
    for (const headers of unseen)
      expect(await visit(browserOf('in'), { headers })).toMatchObject({
        shown: 'fullPrice default Old.',
        counts: [],
        arms: undefined,
      });
  });

  test('a frozen document that cannot be read: members get the live base without tests, and the log says so', async () => {
    await run({ version: '20200101-000000-000' });
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { shown, counts } = await visit(browserOf('in'));
    expect(shown).toBe('fullPrice default New.');
    expect(counts).toEqual([`${holdoutName(holdout)}:in`]);
    expect(log.mock.calls.flat().join()).toMatch(
      /config_refused.*"document":"holdout".*no version/,
    );
    log.mockRestore();
  });
});

test('holdout: without permission the first screen of an id counts once', async () => {
  await run({ share: 100 });
  const headers = { 'cf-ipcountry': 'DE' };
  const first = await visit('', { headers });
  expect(first).toMatchObject({ shown: 'fullPrice default Old.', arms: undefined });
  expect(first.counts).toEqual([`${holdoutName(holdout)}:in`]);
});

test('holdout: a visitor whom the split counted before the holdout was known stays outside', async () => {
  await run();
  const cookie = `${browserOf('in')}; arm=${splitNow()}%3AfullPrice`;
  expect(await visit(cookie)).toMatchObject({ shown: 'fullPrice default Tested.' });
});

test('holdout: the account’s side is kept on another device, whatever its draw says', async () => {
  await run();
  const name = holdoutName(holdout);
  const old = browserOf('out', 2 * day);
  expect((await visit(`${old}; arms=${name}%3Ain`)).shown).toBe('fullPrice default Old.');
  const isTested = (await visit(`${browserOf('in')}; arms=${name}%3Aout`)).shown;
  expect(isTested).toContain('Tested.');
});

test('holdout: members share cached pages with each other only; texts of terms are the live ones', async () => {
  await run();
  const caches = async (...cookies: string[]) => {
    const all = [];
    for (const cookie of cookies) all.push((await visit(cookie, { path: '/signup' })).cache);
    return all;
  };
  const [a, b, early] = [browserOf('in'), browserOf('in'), browserOf('in', 2 * day)];
  expect(await caches(early, a, b)).toEqual(['miss', 'miss', 'hit']);
  expect((await visit(a, { path: '/signup' })).html).toContain('Old sign-up');
  expect((await visit(early, { path: '/signup' })).html).not.toContain('Old sign-up');
  expect((await visit(a, { path: '/checkout_v3_tr' })).html).toContain('Due now');
});

test('holdout: a member buys what the page showed at its price, with and without the page’s stamp', async () => {
  stubStripe();
  await run();
  for (const [variant, plan, cents] of [
    ['in', 'monthly_usd', 3999],
    ['out', 'monthly@2_usd', 4999],
  ] as const) {
    const cookie = `${browserOf(variant)}; arms=${holdoutName(holdout)}%3A${variant}`;
    const { html } = await visit(`${cookie}; arm=${splitNow()}%3AfullPrice`, {
      path: '/checkout_v3_tr',
    });
    expect(html).toContain(`$${cents / 100}`);
    const stamp = /data-terms="([^"]*)"/.exec(html)?.[1] ?? '';
    for (const terms_shown of [stamp, null]) {
      const headers = { cookie: `${cookie}; arm=${splitNow()}%3AfullPrice` };
      const email = `${crypto.randomUUID()}@example.com`;
      const signed = await post(
        '/signup',
        { email, user_uuid: /userUuid=([^;]+)/.exec(cookie)?.[1], landing_type: 'split_fullPrice' },
        headers,
        warm,
      );
      const { data } = (await signed.json()) as { data: { access_token: string } };
      const own = { ...headers, authorization: `Bearer ${data.access_token}` };
      const body = card('pm_card_visa', { terms_shown });
      const bought = await post('/users/me/subscriptions/polling/monthly_usd', body, own, warm);
      expect(bought.status).toBe(200);
      const { data: opened } = (await bought.json()) as { data: { polling_result_id: string } };
      await pollUntilDone(opened.polling_result_id);
      const [owned] = await stubOf(own).ownedSubscriptions();
      expect([owned?.subscription.plan, owned?.amount]).toEqual([plan, cents]);
    }
  }
});

test('holdout: what law or safety asks for reaches members, other changes do not', async () => {
  await run();
  const member = browserOf('in');
  expect((await visit(member)).shown).toContain('Old.');
  await publish(texts, textsOf('Newer.', { [signUpKey]: 'Sign up' }));
  await publish(texts, textsOf('Newer.', { [signUpKey]: 'Sign up by law' }), true);
  const { documents } = await readLive(kv, configSet);
  const withAlias = { ...documents, 'flows.json': '{"flows":{},"aliases":{"go":"one_pager"}}' };
  await publish(configSet, withAlias, true);
  await vi.waitFor(async () => {
    expect((await visit(member, { path: '/signup' })).html).toContain('Sign up by law');
    expect((await visit(member, { path: '/go' })).shown).toBe('fullPrice default Old.');
  }, pollTimeout);
  // It stays with the next publication, and with a rollback.
  await publish(configSet, documents);
  expect((await readLive(kv, configSet)).manifest.config?.frozen?.holdout).toBe(
    holdoutName(holdout),
  );
  await vi.waitFor(async () => {
    expect((await visit(browserOf('out'), { path: '/go' })).shown).not.toContain('Tested');
    expect((await visit(member, { path: '/go' })).shown).toBe('fullPrice default Old.');
  }, pollTimeout);
});

test('holdout: a fix that would make the frozen documents invalid is refused', async () => {
  await run();
  const live = await readLive(kv, configSet);
  const config = JSON.parse(live.documents['config.json'] ?? '');
  config.offers.fullPrice.plans = ['monthly@2'];
  const next = { ...live.documents, 'config.json': JSON.stringify(config) };
  await expect(frozenWithFix(kv, configSet, live, next)).rejects.toThrow(
    /cannot reach the holdout.*offers\.fullPrice\.plans/,
  );
  expect(await env.FUNNEL.get(documentKey('none'))).toBeNull();
});
