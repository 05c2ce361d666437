import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { builtInFlows } from '../../../../worker/experiments/rules/flows.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { type Browser, browser, buy, signedUp } from '../../accounts/browser.ts';
import { writeRollups } from '../../analytics/rollups.ts';
import { stubUnreliableStripe } from '../../payments/webhooks/webhook-fixture.ts';
import { request } from '../../request.ts';
import { open, signIn } from '../console-client.ts';

const dayMs = 24 * 60 * 60_000;

const config = {
  experiment: 'pages',
  variants: [
    { key: 'fullPrice', weight: 50, flow: 'default' },
    { key: 'people', weight: 50, flow: 'lp17ch17pr5' },
  ],
};

/** Publishes the first screen of the flow `default`, and waits until visitors get it. */
async function publish(first: string): Promise<void> {
  const flows = { default: [first, ...(builtInFlows.default ?? []).slice(1)] };
  await env.FUNNEL.put('config.json', JSON.stringify(config));
  await env.FUNNEL.put('flows.json', JSON.stringify({ flows }));
  const served = async (key: string) =>
    (await request(`/${key}`, {}, { CONFIG_CACHE_SECONDS: '0' })).json();
  const live = async () => [await served('config.json'), await served('flows.json')];
  await expect
    .poll(live, pollTimeout)
    .toMatchObject([{ experiment: 'pages' }, { flows: { default: flows.default } }]);
}

/** Visitors from the first page on, by variant; at least two of each. */
async function visitors(): Promise<Record<string, Browser[]>> {
  const found: Record<string, Browser[]> = { fullPrice: [], people: [] };
  while (Object.values(found).some((all) => all.length < 2)) {
    const response = await request('/', {
      headers: { 'user-agent': 'Mozilla/5.0 (iPhone)', 'accept-language': 'en' },
    });
    const set = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '');
    const cookieValue = (name: string) =>
      decodeURIComponent(set.find((each) => each.startsWith(`${name}=`))?.split('=')[1] ?? '');
    const [, arm = ''] = cookieValue('arm').split(/[:.]/);
    found[arm]?.push(browser({ uuid: cookieValue('userUuid'), cookie: set.join('; ') }));
  }
  return found;
}

async function purchase(one: Browser | undefined): Promise<void> {
  if (!one) throw new Error('no visitor');
  await buy(one, (await signedUp(one, `${crypto.randomUUID()}@example.com`)).access_token);
}

/** Id, visitors and purchases of each landing, and the text of the page from there on. */
async function landings() {
  await writeRollups();
  const html = await (await open('/console?period=30d', { headers: await signIn() })).text();
  const section = html.slice(html.indexOf('aria-label="Landings"'));
  const [table = ''] = section.split('</table>');
  const rows = [
    ...table.matchAll(
      /<th scope="row">[^<]*<small>([^<]*)<\/small><\/th><td[^>]*>(\d+)<\/td><td[^>]*>(\d+)/g,
    ),
  ].map(([, id = '', visits, purchases]) => [id, Number(visits), Number(purchases)] as const);
  return {
    // Events of other files may still arrive: their purchases have no landing, their visits another.
    rows: rows.filter(([id]) => id.startsWith('one_pager')).sort(),
    said: section.replace(/<[^>]*>/g, ''),
  };
}

test('console overview: another first screen of a flow changes no figure of the past', async () => {
  // Last week is in the past, because the runtime's own clock runs the accounts' alarms.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 7 * dayMs });
  stubUnreliableStripe();
  await publish('one_pager');
  const early = await visitors();
  const countOf = (all: Record<string, Browser[]>, arm: string) => all[arm]?.length ?? 0;
  await purchase(early.fullPrice?.[0]);
  const lastWeek = [
    ['one_pager', countOf(early, 'fullPrice'), 1],
    ['one_pager_all', countOf(early, 'people'), 0],
  ];
  const fair = 'Fair comparison by an experiment: pages, one_pager versus one_pager_all';
  await vi.waitFor(async () => expect((await landings()).rows).toEqual(lastWeek), pollTimeout);
  expect((await landings()).said).toContain(fair);

  vi.useRealTimers();
  await publish('one_pager_ai');
  const before = await landings();
  expect(before.rows).toEqual(lastWeek);
  expect(before.said).toContain(fair);

  // A buyer of today who came last week belongs to the landing of last week.
  await purchase(early.fullPrice?.[1]);
  const late = await visitors();
  const now = [
    ['one_pager', countOf(early, 'fullPrice'), 2],
    ['one_pager_ai', countOf(late, 'fullPrice'), 0],
    ['one_pager_all', countOf(early, 'people') + countOf(late, 'people'), 0],
  ];
  await vi.waitFor(async () => expect((await landings()).rows).toEqual(now), pollTimeout);
  const { said } = await landings();
  expect(said).toContain('No fair comparison: pages, because in this period');
  expect(said).not.toContain('Fair comparison by an experiment');
});
