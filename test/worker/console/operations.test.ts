import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { detailLines } from '../../../worker/console/audit-pages.tsx';
import { workOfMarketers } from '../../../worker/console/scheduled-publications.ts';
import { builtInDocuments } from '../../../worker/experiments/rules/config-documents.ts';
import { logger } from '../../../worker/log.ts';
import { reportToMonitor } from '../../../worker/log-counts.ts';
import { insertDeadLetters } from '../../../worker/operators/dead-letter-table.ts';
import { listen } from '../payments/payments-fixture.ts';
import { keepingQueue } from '../payments/webhook-fixture.ts';
import { auditOf } from '../payments/webhooks/admin-client.ts';
import { asRole, hiddenFields, open, send, signIn } from './console-client.ts';

const letter = { id: 'm1', body: { to: '<b>ann@example.com</b>' } };

beforeEach(async () => {
  listen();
  await env.DB.batch([
    env.DB.prepare('DELETE FROM dead_letters'),
    env.DB.prepare('DELETE FROM audit'),
  ]);
  await insertDeadLetters(env.DB, 'funnel-email', [letter], Date.UTC(2026, 10, 22));
});
afterEach(() => vi.restoreAllMocks());

const page = async (visit: Awaited<ReturnType<typeof asRole>>) =>
  (await open('/console/operations', visit)).text();

test('console operations: the parts of the platform, and which one does not answer', async () => {
  const operator = await asRole('operator');
  expect(await page(operator)).toContain('<th scope="row">R2, events</th><td class="figure">works');
  const down = {
    prepare: () => {
      throw new Error('down');
    },
  } as never;
  const broken = { ...operator, more: { ...operator.more, ANALYTICS: down } };
  expect(await page(broken)).toContain(
    '<th scope="row">D1, counts</th><td class="figure">does not answer',
  );
});

test('console operations: a configuration that visitors do not get is named with its reason', async () => {
  await env.FUNNEL.put('config.json', '{"experiment":"a b"}');
  await env.FUNNEL.put('flows.json', '{"flows":{}}');
  expect(await page(await asRole('viewer'))).toContain('Visitors get an earlier version, because');
  await env.FUNNEL.delete('config.json');
});

test('console operations: how much waits in a queue, and since when', async () => {
  const operator = await asRole('operator');
  const queue = {
    metrics: async () => ({
      backlogCount: 1200,
      backlogBytes: 1,
      oldestMessageTimestamp: new Date(Date.now() - 3.5 * 60 * 60_000),
    }),
  } as never;
  const html = await page({ ...operator, more: { ...operator.more, EMAIL_QUEUE: queue } });
  const row = html.slice(html.indexOf('<th scope="row">funnel-email</th>')).split('</tr>')[0];
  expect(row).toContain('1,200');
  expect(row).toContain('3 hours');
});

test('console operations: times follow the time zone of the person', async () => {
  const { cookie } = await signIn();
  const headers = { cookie: `${cookie}; __Host-console-time-zone=Asia/Tokyo` };
  expect(await page({ headers })).toContain('2026-11-22 09:00</time>: ');
});

test('console operations: warnings by event and refused sources by host, as they were logged', async () => {
  const log = logger();
  log('warn', 'queue_failed', { reason: 'x' });
  log('warn', 'queue_failed', { reason: 'y' });
  log('info', 'request', { status: 200 });
  log('warn', 'browser_report', { directive: 'script-src-elem', vendor: 'evil.example' });
  await reportToMonitor(env, true);
  const html = await page(await asRole('viewer'));
  expect(html).toContain(
    '<th scope="row">queue_failed</th><td class="figure">warn</td><td class="figure">2',
  );
  expect(html).toContain('<th scope="row">evil.example</th><td class="figure">script-src-elem');
  expect(html).not.toContain('<th scope="row">request</th>');
});

test('console operations: an operator replays a dead letter once, with a reason that is kept', async () => {
  const operator = await asRole('operator');
  const html = await page(operator);
  expect(html).toContain('&lt;b&gt;ann@example.com&lt;/b&gt;');
  const { id = '', key = '' } = hiddenFields(html.slice(html.indexOf('operations/replay')));
  const { sent, queue } = keepingQueue();
  const visit = { ...operator, more: { ...operator.more, EMAIL_QUEUE: queue } };
  const replay = (reason: string) =>
    send(
      '/console/operations/replay',
      [
        ['id', id],
        ['key', key],
        ['reason', reason],
      ],
      visit,
    );
  expect((await replay(' ')).status).toBe(422);
  expect((await replay('fixed')).headers.get('location')).toBe('/console/operations?done=replay');
  expect((await replay('fixed')).status).toBe(303);
  expect(sent).toEqual([letter.body]);
  expect(await auditOf('funnel-email:m1')).toMatchObject([
    { operator: 'operator@example.com', action: 'replay', reason: 'fixed' },
    { action: 'replay' },
  ]);
  expect(await page(operator)).not.toContain('ann@example.com');
});

test.each(['viewer', 'marketer'] as const)(
  'console operations: a %s sees no content of a dead letter, replays none and silences nothing',
  async (role) => {
    const visit = await asRole(role);
    const html = await page(visit);
    expect(html).toContain('Your role does not see');
    expect(html).not.toContain('ann@example.com');
    for (const path of ['replay', 'snooze']) {
      const fields = [
        ['id', 'funnel-email:m1'],
        ['key', 'k'],
        ['area', 'email'],
        ['hours', '1'],
        ['reason', 'r'],
      ];
      expect((await send(`/console/operations/${path}`, fields, visit)).status).toBe(403);
    }
    expect(await auditOf('funnel-email:m1')).toEqual([]);
  },
);

test('console operations: an operator silences an area that has an alarm, and sees until when', async () => {
  const minute = Math.floor(Date.now() / 60_000);
  const monitor = env.MONITOR.getByName('monitor');
  await monitor.count({ config_refused: 1 });
  await monitor.watch({ version: 'v1', checks: [], splits: [], totals: null, minute: minute + 1 });
  const operator = await asRole('operator');
  expect(await page(operator)).toContain('A published configuration was refused');
  const silence = (hours: string) =>
    send(
      '/console/operations/snooze',
      [
        ['area', 'configuration'],
        ['hours', hours],
        ['reason', 'known'],
      ],
      operator,
    );
  for (const hours of ['', '-1', '999', 'x']) expect((await silence(hours)).status).toBe(422);
  expect((await silence('2')).status).toBe(303);
  expect(await page(operator)).toContain('Nobody is told until');
  expect(await auditOf('configuration')).toMatchObject([{ action: 'snooze', reason: 'known' }]);
});

test('console audit: details are lines, a publication’s before and after among them', () => {
  expect(detailLines('{"base":"f","differences":["arm a: weight 50 → 60"]}')).toEqual([
    'arm a: weight 50 → 60',
    'base: f',
  ]);
  expect(detailLines('not JSON')).toEqual(['not JSON']);
});

test('console operations: refused documents stay visible after others replaced them', async () => {
  const wrong = '{"experiment":"a b","note":"<b>"}';
  await env.FUNNEL.put('config.json', wrong);
  await env.FUNNEL.put('flows.json', '{"flows":{}}');
  await workOfMarketers(env, Date.UTC(2026, 10, 22, 12), logger());
  await workOfMarketers(env, Date.UTC(2026, 10, 22, 13), logger());
  for (const [key, text] of Object.entries(builtInDocuments)) await env.FUNNEL.put(key, text);
  const html = await page(await asRole('operator'));
  expect(html).toMatch(/2026-11-22 12:00: config\.json [^<]*Other documents replaced them since/);
  expect(html).toContain('&lt;b&gt;');
  expect(await page(await asRole('viewer'))).not.toContain('What was written');
});

test('console audit: without a role for people only publications are shown', async () => {
  const insert = env.DB.prepare(
    `INSERT INTO audit VALUES (?1, 'ann', ?2, 'acct_1', '{}', 'wrote ann@example.com', 1, 'done')`,
  );
  await env.DB.batch([insert.bind('r', 'refund'), insert.bind('p', 'publish')]);
  const actions = async (role: 'viewer' | 'marketer' | 'operator') => {
    const csv = await (await open('/console/audit.csv', await asRole(role))).text();
    return [...csv.matchAll(/"ann","(\w+)"/g)].map(([, action]) => action).sort();
  };
  expect(await actions('viewer')).toEqual(['publish']);
  expect(await actions('marketer')).toEqual(['publish']);
  expect(await actions('operator')).toEqual(['publish', 'refund']);
});
