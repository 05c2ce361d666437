import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import builtIn from '../../../../worker/catalog/rules/built-in-catalog.json' with { type: 'json' };
import { textSet } from '../../../../worker/console/publishing/live-texts.ts';
import {
  publishDue,
  runDuePublications,
  schedulePublication,
} from '../../../../worker/console/publishing/scheduled-publications.ts';
import { readVersions } from '../../../../worker/documents/document-store.ts';
import { namespaceKv } from '../../../../worker/documents/kv.ts';
import { fingerprintOf, readLive } from '../../../../worker/documents/live-documents.ts';
import { configSet } from '../../../../worker/experiments/config-set.ts';
import worker from '../../../../worker/index.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import { logger } from '../../../../worker/platform/log.ts';
import { arm, configText, texts } from '../../../scripts/config/command-context.ts';
import { stubBraintree } from '../../payments/gateways/braintree/braintree-fixture.ts';
import { stubGateways } from '../../payments/payments-fixture.ts';
import { request } from '../../request.ts';
import { asRole, hiddenFields, open, send } from '../console-client.ts';

const kv = namespaceKv(env.FUNNEL);
const half = texts(configText([arm('a', 50), arm('b', 50)]));
const minuteMs = 60_000;

beforeEach(async () => {
  for (const key of await kv.list('')) await env.FUNNEL.delete(key.name);
  await env.DB.batch(
    ['config_publications', 'scheduled_publications', 'audit'].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
  );
  for (const [key, text] of Object.entries(half)) await env.FUNNEL.put(key, text);
});
type Visit = Awaited<ReturnType<typeof asRole>>;

/** A form's time in the browser's format, some minutes after the start of the next UTC minute. */
const inMinutes = (minutes: number) =>
  new Date(Date.now() + minutes * minuteMs).toISOString().slice(0, 16);

async function reviewed(visit: Visit, a: number): Promise<[string, string][]> {
  const { base = '' } = hiddenFields(await (await open('/console/experiments', visit)).text());
  const rows = Object.entries({ a, b: 100 - a }).flatMap(([key, weight]) => [
    ['key', key],
    ['weight', String(weight)],
    ['flow', 'default'],
  ]);
  const sent = await send('/console/review', [['base', base], ['experiment', 'e'], ...rows], visit);
  return Object.entries(hiddenFields(await sent.text()));
}

const scheduleFor = async (visit: Visit, fields: [string, string][], at: string) =>
  send('/console/schedule', [...fields, ['at', at], ['reason', 'campaign']], visit);
const due = (minutes = 6) => publishDue(env, Date.now() + minutes * minuteMs, logger());
const weightOfA = async () =>
  JSON.parse((await readLive(kv, configSet)).documents['config.json'] ?? '').variants[0];
const rows = async () =>
  (await env.DB.prepare('SELECT state, note FROM scheduled_publications').all()).results;
const audit = async () =>
  (await env.DB.prepare('SELECT action, operator, reason, result FROM audit ORDER BY rowid').all())
    .results;

test('scheduled publication: it is published once at its time, however often the cron runs', async () => {
  const marketer = await asRole('marketer');
  const fields = await reviewed(marketer, 40);
  // Once, because a minute may end between the two posts.
  const time = inMinutes(5);
  const sent = await scheduleFor(marketer, fields, time);
  expect(sent.headers.get('location')).toBe('/console/versions?done=scheduled');
  expect((await scheduleFor(marketer, fields, time)).status).toBe(303);
  expect(await (await open('/console/versions', marketer)).text()).toContain('weight 50 → 40');
  expect(await due(0)).toBe(0);
  expect(await weightOfA()).toMatchObject({ weight: 50 });
  expect((await Promise.all([due(), due(), due()])).sort()).toEqual([0, 0, 1]);
  expect(await weightOfA()).toMatchObject({ weight: 40 });
  const authors = (await readVersions(kv, configSet)).map(({ who }) => who);
  expect(authors).toEqual(['marketer@example.com', 'written by hand']);
  expect(await rows()).toEqual([{ state: 'published', note: expect.stringMatching(/^Version 2/) }]);
  const published = { operator: 'marketer@example.com', reason: 'campaign' };
  expect((await audit()).filter(({ action }) => action === 'publish')).toEqual([
    { ...published, action: 'publish', result: expect.stringMatching(/^published 2/) },
  ]);
});

test('scheduled publication: an already used form is refused with another time, and after a cancellation', async () => {
  const marketer = await asRole('marketer');
  const fields = await reviewed(marketer, 40);
  expect((await scheduleFor(marketer, fields, inMinutes(5))).status).toBe(303);
  expect((await scheduleFor(marketer, fields, inMinutes(60))).status).toBe(400);
  await env.DB.prepare("UPDATE scheduled_publications SET state = 'cancelled'").run();
  expect((await scheduleFor(marketer, fields, inMinutes(5))).status).toBe(400);
  const results = (await audit()).map(({ result }) => String(result).split(' ')[0]);
  expect(results).toEqual(['scheduled', 'refused', 'refused']);
});

async function publishNow(visit: Visit, texts: Record<string, string>): Promise<void> {
  const { base = '' } = hiddenFields(await (await open('/console/experiments', visit)).text());
  const fields = { ...texts, base, reason: 'sooner' };
  const sent = await send('/console/publish', Object.entries(fields), visit);
  expect(sent.status).toBe(303);
}

const documents = (config: object) => ({
  config: JSON.stringify({ ...JSON.parse(half['config.json'] ?? ''), ...config }),
  flows: half['flows.json'] ?? '',
});

test('scheduled publication: it changes only its own fields, so that others may publish and schedule meanwhile', async () => {
  const marketer = await asRole('marketer');
  await scheduleFor(marketer, await reviewed(marketer, 40), inMinutes(5));
  const { base = '' } = hiddenFields(await (await open('/console/experiments', marketer)).text());
  const second = documents({ bank_methods: ['ideal'] });
  const form = { ...second, base, once: crypto.randomUUID(), zone: 'UTC' };
  const sent = await scheduleFor(marketer, Object.entries(form), inMinutes(10));
  expect(sent.headers.get('location')).toBe('/console/versions?done=scheduled');
  await publishNow(marketer, documents({ stripe_wallets: ['link'] }));
  expect(await due(6)).toBe(1);
  expect(await due(11)).toBe(1);
  const live = JSON.parse((await readLive(kv, configSet)).documents['config.json'] ?? '');
  expect(live).toMatchObject({
    variants: [
      { key: 'a', weight: 40 },
      { key: 'b', weight: 60 },
    ],
    bank_methods: ['ideal'],
    stripe_wallets: ['link'],
  });
  expect(await rows()).toMatchObject([{ state: 'published' }, { state: 'published' }]);
});

test('scheduled publication: one that another publication stops is announced in the review, and refused with an alarm at once', async () => {
  const marketer = await asRole('marketer');
  await scheduleFor(marketer, await reviewed(marketer, 40), inMinutes(60));
  const { base = '' } = hiddenFields(await (await open('/console/experiments', marketer)).text());
  const ship = [
    ['base', base],
    ['ship', 'a'],
  ];
  const html = await (await send('/console/review', ship, marketer)).text();
  expect(html).toMatch(/marketer@example.com scheduled a change for [^.]*\. It does not fit these/);
  await publishNow(
    marketer,
    documents({ variants: [arm('a', 30), arm('b', 70)].map((each) => ({ ...each })) }),
  );
  const log = vi.fn();
  await runDuePublications(env, Date.now(), log);
  const fields = 'config.json variants a weight, config.json variants b weight';
  const note = `Nothing was published, because ${fields} changed in the meantime. Review the change and schedule it again.`;
  expect(await rows()).toEqual([{ state: 'refused', note }]);
  expect(log.mock.calls).toEqual([
    ['warn', 'scheduled_publication_refused', { document: 'config' }],
  ]);
  expect(await (await open('/console/versions', marketer)).text()).toContain('schedule it again.');
  expect(await due(61)).toBe(0);
  expect(await weightOfA()).toMatchObject({ weight: 30 });
});

test('scheduled publication: one that does not fit a pending one is refused at once, with the reason', async () => {
  const marketer = await asRole('marketer');
  const second = await reviewed(marketer, 30);
  await scheduleFor(marketer, await reviewed(marketer, 40), inMinutes(5));
  const refused = await scheduleFor(marketer, second, inMinutes(10));
  expect(refused.status).toBe(422);
  const text = await refused.text();
  expect(text).toMatch(/marketer@example.com scheduled a change for .* that this one does not fit/);
  expect(text).toContain('config.json variants a weight, config.json variants b weight changed');
  // It would come before the pending one and stop it.
  expect((await scheduleFor(marketer, second, inMinutes(2))).status).toBe(422);
  await due();
  expect(await weightOfA()).toMatchObject({ weight: 40 });
  expect(await rows()).toHaveLength(1);
  const next = await reviewed(marketer, 30);
  expect((await scheduleFor(marketer, next, inMinutes(10))).status).toBe(303);
});

test('scheduled publication: of two concurrent editors one schedules', async () => {
  const marketer = await asRole('marketer');
  const forms = [await reviewed(marketer, 30), await reviewed(marketer, 40)];
  await Promise.all(forms.map((fields) => scheduleFor(marketer, fields, inMinutes(5))));
  expect(await rows()).toHaveLength(1);
});

test('scheduled publication: a cancelled one is not published', async () => {
  const marketer = await asRole('marketer');
  await scheduleFor(marketer, await reviewed(marketer, 40), inMinutes(5));
  const { id = '' } = hiddenFields(await (await open('/console/versions', marketer)).text());
  const cancel = () => send('/console/schedule/cancel', [['id', id]], marketer);
  expect((await cancel()).headers.get('location')).toBe('/console/versions?done=cancelled');
  expect((await cancel()).headers.get('location')).toBe('/console/versions?done=late');
  await due();
  expect(await weightOfA()).toMatchObject({ weight: 50 });
  expect(await rows()).toEqual([{ state: 'cancelled', note: 'By marketer@example.com.' }]);
});

test('scheduled publication: its time is in the zone of the form', async () => {
  const { headers = {}, more } = await asRole('marketer');
  const visit = { headers: { ...headers, cookie: '__Host-console-time-zone=Asia/Tokyo' }, more };
  const fields = await reviewed(visit, 40);
  expect(Object.fromEntries(fields)).toMatchObject({ zone: 'Asia/Tokyo' });
  const hours = 9 * 60;
  expect((await scheduleFor(visit, fields, inMinutes(hours + 5))).status).toBe(303);
  const listed = await (await open('/console/versions', visit)).text();
  expect(listed).toContain(inMinutes(hours + 5).replace('T', ' '));
  expect(await due(0)).toBe(0);
  expect(await due(6)).toBe(1);
});

test.each(['', '2026-13-01T00:00', '2020-01-01T00:00', '2999-01-01T00:00'])(
  'scheduled publication: the time “%s” is refused and the review stays open',
  async (at) => {
    const marketer = await asRole('marketer');
    const sent = await scheduleFor(marketer, await reviewed(marketer, 40), at);
    expect(sent.status).toBe(422);
    expect(await sent.text()).toContain('Enter a time in the future, at most a year ahead.');
    expect(await rows()).toEqual([]);
  },
);

const wasRefused = { state: 'refused', note: expect.stringContaining('may no longer publish') };

test.each([
  ['without a role', 'ann@example.com=owner', [wasRefused]],
  ['as a viewer', 'marketer@example.com=viewer', [wasRefused]],
  ['as an owner', '*@example.com=owner', [{ state: 'published', note: expect.any(String) }]],
])(
  'scheduled publication: one by an editor who has since become %s',
  async (_, roles, expected) => {
    const marketer = await asRole('marketer');
    await scheduleFor(marketer, await reviewed(marketer, 40), inMinutes(5));
    const access = { ...marketer.more, CONSOLE_ROLES: roles } as Partial<Env>;
    await publishDue({ ...env, ...access } as Env, Date.now() + 6 * minuteMs, logger());
    expect(await rows()).toEqual(expected);
    const isPublished = roles.startsWith('*');
    expect(await weightOfA()).toMatchObject({ weight: isPublished ? 40 : 50 });
  },
);

test('scheduled publication: one made by the command line needs no role', async () => {
  const marketer = await asRole('marketer');
  const { fingerprint: base } = await readLive(kv, configSet);
  const documents = texts(configText([arm('a', 40), arm('b', 60)]));
  const publication = {
    next: documents,
    kind: 'config',
    base,
    who: 'ann',
    byPerson: false,
  } as const;
  const at = { now: Date.now(), dueAt: Date.now() + minuteMs };
  const scheduled = await schedulePublication(env, {
    ...publication,
    ...at,
    reason: '',
    key: 'command',
  });
  expect(scheduled.kind).toBe('scheduled');
  const access = { ...env, ...marketer.more } as Env;
  expect(await publishDue(access, Date.now() + 6 * minuteMs, logger())).toBe(1);
  expect(await weightOfA()).toMatchObject({ weight: 40 });
});

test('scheduled publication: a publication that KV refuses is repeated by a later run', async () => {
  const marketer = await asRole('marketer');
  await scheduleFor(marketer, await reviewed(marketer, 40), inMinutes(5));
  const put = vi.spyOn(env.FUNNEL, 'put').mockRejectedValueOnce(new Error('quota'));
  await due();
  put.mockRestore();
  const note = expect.stringMatching(/^Publishing failed, and is retried\. Error: quota/);
  expect(await rows()).toEqual([{ state: 'waiting', note }]);
  expect(await due(7)).toBe(0);
  expect(await due(12)).toBe(1);
  expect(await weightOfA()).toMatchObject({ weight: 40 });
});

test('scheduled publication: while KV cannot be read Versions shows the error, and after an hour it is refused', async () => {
  const marketer = await asRole('marketer');
  await scheduleFor(marketer, await reviewed(marketer, 40), inMinutes(5));
  const failing = async (minutes: number) => {
    const get = vi.spyOn(env.FUNNEL, 'get').mockRejectedValue(new Error('KV does not answer'));
    await due(minutes);
    get.mockRestore();
    return (await open('/console/versions', marketer)).text();
  };
  const error = 'Error: KV does not answer';
  expect(await failing(6)).toContain(`Publishing failed, and is retried. ${error}`);
  expect(await failing(80)).toContain(`Publishing failed for an hour; schedule it again. ${error}`);
  expect(await rows()).toMatchObject([{ state: 'refused' }]);
});

test('scheduled publication: texts can be scheduled too', async () => {
  const marketer = await asRole('marketer');
  const change = [
    ['base', fingerprintOf({})],
    ['key', 'screens.common.terms'],
    ['text.en', 'Our terms'],
  ];
  const html = await (await send('/console/texts/review', change, marketer)).text();
  const { once = '' } = hiddenFields(html);
  const fields = [...change, ['once', once], ['at', inMinutes(5)], ['reason', 'terms']];
  const sent = await send('/console/texts/schedule', fields, marketer);
  expect(sent.headers.get('location')).toBe('/console/texts/versions?done=scheduled');
  await due();
  expect((await readLive(kv, textSet)).documents['en.json']).toContain('Our terms');
});

test('scheduled publication: the commands schedule, list and cancel it, and the cron publishes it', async () => {
  await stubGateways();
  const admin = (path: string, body?: object) =>
    request(
      `/admin/publications${path}`,
      {
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: 'Bearer operators',
          'content-type': 'application/json',
          'x-operator': 'ann',
        },
        ...(body && { body: JSON.stringify(body) }),
      },
      { ADMIN_TOKEN: 'operators' },
    );
  const { fingerprint: base } = await readLive(kv, configSet);
  const publication = {
    kind: 'config',
    documents: texts(configText([arm('a', 10), arm('b', 90)])),
    base,
    due_at: Date.now() + minuteMs,
    reason: 'campaign',
  };
  const kindOf = async (response: Response) =>
    ((await response.json()) as { data: { kind: string } }).data.kind;
  expect((await admin('', { ...publication, key: 'one', reason: ' ' })).status).toBe(400);
  expect(await kindOf(await admin('', { ...publication, key: 'one', due_at: 1 }))).toBe('bad-time');
  expect(await kindOf(await admin('', { ...publication, key: 'one', base: 'old' }))).toBe(
    'conflict',
  );
  expect(await kindOf(await admin('', { ...publication, key: 'one' }))).toBe('scheduled');
  expect(await kindOf(await admin('', { ...publication, key: 'one' }))).toBe('scheduled');
  const other = texts(configText([arm('a', 20), arm('b', 80)]));
  const clash = { ...publication, key: 'two', documents: other };
  expect(await kindOf(await admin('', clash))).toBe('clash');
  expect((await admin('/one/cancel', {})).status).toBe(200);
  expect((await admin('/one/cancel', {})).status).toBe(404);
  expect(await kindOf(await admin('', { ...publication, key: 'two' }))).toBe('scheduled');
  const { data } = (await (await admin('?kind=config')).json()) as { data: { state: string }[] };
  expect(data.map(({ state }) => state).sort()).toEqual(['cancelled', 'waiting']);
  const context = createExecutionContext();
  await worker.scheduled({ scheduledTime: Date.now() + 2 * minuteMs }, env, context);
  await waitOnExecutionContext(context);
  expect(await weightOfA()).toMatchObject({ weight: 10 });
});

test('scheduled publication: at its time the payment providers are asked again, and one that is silent is waited for', async () => {
  const braintree = { isDown: true };
  stubBraintree({
    before: () => (braintree.isDown ? new Response('', { status: 500 }) : undefined),
  });
  const { monthly } = builtIn.products;
  const club = { ...monthly, versions: { 1: { prices: { USD: 79, EUR: 79 } } } };
  const catalog = JSON.stringify({ products: { ...builtIn.products, club } });
  const { fingerprint: base, documents } = await readLive(kv, configSet);
  await schedulePublication(env, {
    ...{ kind: 'config', base, who: 'ann', byPerson: false, reason: 'sale', key: 'club' },
    next: { ...documents, 'catalog.json': catalog },
    now: Date.now(),
    dueAt: Date.now() + minuteMs,
  });
  await due();
  expect(await rows()).toEqual([
    { state: 'waiting', note: expect.stringContaining('Braintree did not say') },
  ]);
  expect((await readLive(kv, configSet)).fingerprint).toBe(base);
  braintree.isDown = false;
  await due(20);
  expect(await rows()).toEqual([{ state: 'published', note: expect.stringMatching(/^Version/) }]);
});
