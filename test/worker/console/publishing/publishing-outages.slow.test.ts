import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { readVersions } from '../../../../worker/documents/document-store.ts';
import { namespaceKv } from '../../../../worker/documents/kv.ts';
import { readManifest } from '../../../../worker/documents/manifest.ts';
import { configSet } from '../../../../worker/experiments/config-set.ts';
import { LiveConfig } from '../../../../worker/experiments/live-config.ts';
import { builtInDocuments } from '../../../../worker/experiments/rules/config-documents.ts';
import { logger } from '../../../../worker/platform/log.ts';
import { withSecondMonthly } from '../../../second-version.ts';
import { intercepted } from '../../faults/flaky-fetch.ts';
import { stubGateways } from '../../payments/payments-fixture.ts';
import {
  card,
  pollingId,
  pollUntilDone,
  signedInHeaders,
  stubOf,
} from '../../payments/purchase-helpers.ts';
import { request } from '../../request.ts';
import { hiddenFields, open, send, signIn } from '../console-client.ts';

const kv = namespaceKv(env.FUNNEL);
const { products } = withSecondMonthly({ prices: { USD: 49, EUR: 48 } });
const versions = { 1: { prices: { USD: 79, EUR: 78 } } };

/** A new price, and a plan that Braintree does not have yet. */
const catalog = JSON.stringify({
  products: {
    ...products,
    club: { ...products.monthly, label: 'Club', period: 'half_year', versions },
  },
});

beforeEach(startOver);

async function startOver() {
  for (const key of await kv.list('')) await env.FUNNEL.delete(key.name);
  await env.DB.batch(
    ['config_publications', 'audit'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
  for (const [key, text] of Object.entries(builtInDocuments)) await env.FUNNEL.put(key, text);
}

async function reviewedForm(headers: Record<string, string>) {
  const { base = '' } = hiddenFields(
    await (await open('/console/experiments', { headers })).text(),
  );
  const [config, flows] = [builtInDocuments['config.json'], builtInDocuments['flows.json']];
  const sent = { base, config: config ?? '', flows: flows ?? '', catalog };
  const review = await (await send('/console/review', sent, { headers })).text();
  return { ...hiddenFields(review), reason: 'a new price' };
}

type Outage = (call: () => unknown) => unknown;
const down = () => Promise.reject(new Error('down'));

/** What happens to the call at which it begins, and to later ones. */
const outages: Record<string, (isFirst: boolean) => Outage> = {
  'is refused': (isFirst) => (isFirst ? down : (call) => call()),
  'loses its reply': (isFirst) => async (call) => {
    const reply = await call();
    return isFirst ? down() : reply;
  },
  'is the first of an outage of everything': () => down,
};

/** KV, D1 and the providers, of whose calls one fails while `at` is set. */
function dependencies(outage: (isFirst: boolean) => Outage) {
  const state = { at: null as number | null, calls: 0 };
  const plans: string[] = [];
  const through = (call: () => unknown) => {
    if (state.at === null) return call();
    const before = state.calls - state.at;
    state.calls += 1;
    return before < 0 ? call() : outage(before === 0)(call);
  };
  stubGateways({
    wrap: (next) => (input, init) => {
      const asked = new Request(input, init);
      return through(async () => {
        const isPlan = asked.method === 'POST' && asked.url.endsWith('/plans');
        const [plan = ''] = (isPlan && /club_\w+/.exec(await asked.clone().text())) || [];
        const reply = await next(asked);
        if (isPlan && reply.ok) plans.push(plan);
        return reply;
      }) as Promise<Response>;
    },
  });
  const more = { FUNNEL: intercepted(env.FUNNEL, through, []), DB: intercepted(env.DB, through) };
  return { state, plans, more };
}

/** Which catalog a new isolate serves, and that it is not a mixture. */
async function servedPrice() {
  const reads: Promise<unknown>[] = [];
  const isolate = new LiveConfig();
  const current = () =>
    isolate.current({
      ...{ kv: env.FUNNEL, log: logger(), production: false, maxAgeMs: 60_000 },
      waitUntil: (read) => void reads.push(read),
    });
  await current();
  // A request waits for a read at most 150 ms.
  await Promise.all(reads);
  const { configuration } = await current();
  const isNew = configuration.catalog.planById('monthly@2_usd') !== undefined;
  expect(configuration.catalog.planById('club_usd') !== undefined).toBe(isNew);
  return isNew ? 4900 : 3999;
}

/** A page of an isolate that served both catalogs. */
async function openCheckout(price: number) {
  const isShown = price === 4900 ? '$49.00' : '$39.99';
  return vi.waitFor(async () => {
    const served = { ...env, CONFIG_CACHE_SECONDS: '-1' };
    const html = await (await request('/checkout_v3_tr', {}, served)).text();
    expect(['$49.00', '$39.99'].filter((text) => html.includes(text))).toEqual([isShown]);
    return /data-terms="([^"]*)"/.exec(html)?.[1] ?? '';
  });
}

async function buyShown(price: number) {
  const terms_shown = await openCheckout(price);
  const plan = price === 4900 ? 'monthly@2_usd' : 'monthly_usd';
  const headers = await signedInHeaders();
  await pollUntilDone(await pollingId(plan, card('pm_card_visa', { terms_shown }), headers));
  const [owned] = await stubOf(headers).ownedSubscriptions();
  expect([owned?.subscription.plan, owned?.amount]).toEqual([plan, price]);
}

test.each(Object.entries(outages))(
  'console publishing: whichever call of KV, D1 or a provider %s, visitors buy from one catalog, and the same form finishes it',
  async (_, outage) => {
    const headers = await signIn();
    const seen = new Set<number>();
    const bought = new Set<number>();
    const form = await reviewedForm(headers);
    for (let at = 0; ; at += 1) {
      await startOver();
      const { state, plans, more } = dependencies(outage);
      state.at = at;
      const { status } = await send('/console/publish', form, { headers, more });
      expect([303, 422, 503]).toContain(status);
      state.at = null;
      const price = await servedPrice();
      if (env.FULL) await openCheckout(price);
      // Nothing was written before.
      const isWritten = (await kv.list('documents/')).length > 0;
      if (isWritten && !bought.has(price)) await buyShown(price);
      if (isWritten) bought.add(price);
      seen.add(price);
      const again = await send('/console/publish', form, { headers });
      const { results } = await env.DB.prepare('SELECT version FROM config_publications').all();
      const live = (await readManifest(kv)).config?.version;
      expect([at, again.status, results, plans.sort()]).toEqual([
        ...[at, 303, [{ version: live }]],
        ['club_eur', 'club_usd'],
      ]);
      expect((await readVersions(kv, configSet))[0]?.id).toBe(live);
      expect(await servedPrice()).toBe(4900);
      if (env.FULL) await openCheckout(4900);
      if (state.calls <= at) break;
    }
    expect([...seen]).toEqual([3999, 4900]);
  },
);
