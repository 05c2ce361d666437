import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { detailLines } from '../../../../worker/console/operations/audit-pages.tsx';
import { runDuePublications } from '../../../../worker/console/publishing/scheduled-publications.ts';
import { builtInDocuments } from '../../../../worker/experiments/rules/config-documents.ts';
import { alarmKinds } from '../../../../worker/monitoring/rules/alarm-kinds.ts';
import { insertDeadLetters } from '../../../../worker/operators/dead-letter-table.ts';
import { logger } from '../../../../worker/platform/log.ts';
import { reportToMonitor } from '../../../../worker/platform/log-counts.ts';
import { auditOf } from '../../payments/webhooks/admin-client.ts';
import { buyAndProject, stubUnreliableStripe } from '../../payments/webhooks/webhook-fixture.ts';
import { recordingQueue } from '../../queue.ts';
import { asRole, hiddenFields, open, send, signIn } from '../console-client.ts';

const letter = { id: 'm1', body: { to: '<b>ann@example.com</b>' } };

beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare('DELETE FROM dead_letters'),
    env.DB.prepare('DELETE FROM audit'),
  ]);
  await insertDeadLetters(env.DB, 'funnel-email', [letter], Date.UTC(2026, 10, 22));
});
const page = async (visit: Awaited<ReturnType<typeof asRole>>) =>
  (await open('/console/operations', visit)).text();

test('console operations: the parts of the platform are listed, and one that does not respond is marked', async () => {
  const operator = await asRole('operator');
  // Test files share the buckets.
  const { objects } = await env.EVENTS.list();
  await env.EVENTS.delete(objects.map(({ key }) => key));
  expect(await page(operator)).toMatch(
    /<th scope="row">Archive of events<small>R2<\/small><\/th><td[^>]*>[^<]*<\/td><td[^>]*><span[^>]*>empty/,
  );
  const down = {
    prepare: () => {
      throw new Error('down');
    },
  } as never;
  expect(await page({ ...operator, more: { ...operator.more, ANALYTICS: down } })).toMatch(
    /<th scope="row">Counts of visits and money<small>D1<\/small><\/th><td[^>]*>[^<]*<\/td><td[^>]*><span[^>]*>does not respond/,
  );
});

test('console operations: a configuration that was refused is shown with the reason', async () => {
  await env.FUNNEL.put('config.json', '{"experiment":"a b"}');
  await env.FUNNEL.put('flows.json', '{"flows":{}}');
  expect(await page(await asRole('viewer'))).toContain('Visitors get an earlier version, because');
  await env.FUNNEL.delete('config.json');
});

test('console operations: each queue shows its backlog and the age of its oldest message', async () => {
  const operator = await asRole('operator');
  const queue = {
    metrics: async () => ({
      backlogCount: 1200,
      backlogBytes: 1,
      oldestMessageTimestamp: new Date(Date.now() - 3.5 * 60 * 60_000),
    }),
  } as never;
  const html = await page({ ...operator, more: { ...operator.more, EMAIL_QUEUE: queue } });
  const row = html.slice(html.indexOf('<small>funnel-email</small>')).split('</tr>')[0];
  expect(row).toContain('1,200');
  expect(row).toContain('3 hours');
});

test('console operations: times are in the operator’s time zone', async () => {
  const { cookie } = await signIn();
  const headers = { cookie: `${cookie}; __Host-console-time-zone=Asia/Tokyo` };
  expect(await page({ headers })).toContain('2026-11-22 09:00</time>: ');
});

test('console operations: warnings are counted by event and blocked sources by host, as logged', async () => {
  const log = logger();
  log('warn', 'queue_failed', { reason: 'x' });
  log('warn', 'queue_failed', { reason: 'y' });
  log('info', 'request', { status: 200 });
  log('warn', 'browser_report_received', { directive: 'script-src-elem', vendor: 'evil.example' });
  await reportToMonitor(env, true);
  const html = await page(await asRole('viewer'));
  expect(html).toMatch(/<th scope="row">queue_failed<\/th><td[^>]*>warn<\/td><td[^>]*>2/);
  expect(html).toMatch(/<th scope="row">evil.example<\/th><td[^>]*>script-src-elem/);
  expect(html).not.toContain('<th scope="row">request</th>');
});

test('console operations: an operator replays a dead letter once, and the reason is stored', async () => {
  const operator = await asRole('operator');
  const html = await page(operator);
  expect(html).toContain('&lt;b&gt;ann@example.com&lt;/b&gt;');
  const { id = '', key = '' } = hiddenFields(html.slice(html.indexOf('operations/replay')));
  const { sent, queue } = recordingQueue();
  const visit = { ...operator, more: { ...operator.more, EMAIL_QUEUE: queue } };
  const replay = (reason: string) => send('/console/operations/replay', { id, key, reason }, visit);
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
  'console operations: a %s cannot see the content of dead letters',
  async (role) => {
    const html = await page(await asRole(role));
    expect(html).toContain('Your role cannot see the content of messages.');
    expect(html).not.toContain('ann@example.com');
  },
);

test('console operations: an operator snoozes an area with an alarm, and sees when the snooze ends', async () => {
  const minute = Math.floor(Date.now() / 60_000);
  const monitor = env.MONITOR.getByName('monitor');
  await monitor.count({ config_refused: 1 });
  await monitor.watch({ version: 'v1', checks: [], splits: [], totals: null, minute: minute + 1 });
  const operator = await asRole('operator');
  expect(await page(operator)).toContain('A published configuration was refused');
  const silence = (hours: string) =>
    send('/console/operations/snooze', { area: 'configuration', hours, reason: 'known' }, operator);
  for (const hours of ['', '-1', '999', 'x']) expect((await silence(hours)).status).toBe(422);
  expect((await silence('2')).status).toBe(303);
  expect(await page(operator)).toContain('Snoozed until');
  expect(await auditOf('configuration')).toMatchObject([{ action: 'snooze', reason: 'known' }]);
});

test('console audit: details are lines with amounts as money, without keys', () => {
  expect(detailLines('{"base":"f","differences":["variant a: weight 50 → 60"]}')).toEqual([
    'variant a: weight 50 → 60',
  ]);
  expect(detailLines('{"amount":350,"key":"k"}', 'EUR')).toEqual(['amount: €3.50']);
  expect(detailLines('not JSON')).toEqual(['not JSON']);
});

test('console operations: refused documents stay visible after others replaced them', async () => {
  await env.FUNNEL.put('config.json', '{"experiment":"a b","note":"<b>"}');
  await env.FUNNEL.put('flows.json', '{"flows":{}}');
  await runDuePublications(env, Date.UTC(2026, 10, 22, 12), logger());
  await runDuePublications(env, Date.UTC(2026, 10, 22, 13), logger());
  for (const [key, text] of Object.entries(builtInDocuments)) await env.FUNNEL.put(key, text);
  const html = await page(await asRole('operator'));
  expect(html).toMatch(
    /2026-11-22 12:00: config\.json [^<]*Other documents have replaced them since/,
  );
  expect(html).toContain('&lt;b&gt;');
  expect(await page(await asRole('viewer'))).not.toContain('Content of the refused document');
});

test('console audit: a role without access to people sees publications only', async () => {
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

const state = { checks: [], incidents: [], snoozedUntil: {}, versions: [], nightly: [], risks: [] };
/** A monitor without findings. @param watchedAt when its cron last ran, ms since 1970; null for never */
const monitorWithoutAlarms = (watchedAt: number | null) =>
  ({
    getByName: () => ({
      state: async () => ({ ...state, watchedAt }),
      loggedHours: async () => [],
    }),
  }) as never;

test('console status: the status line is at the top, and a fraud warning shows buyer, amount and action', async () => {
  await env.DB.batch([
    env.DB.prepare('DELETE FROM dead_letters'),
    env.DB.prepare(
      `INSERT INTO accounts (id, email, email_key, name, visitor_id, landing_type, country, language, arm, created_at)
       VALUES ('warned', 'Warned@example.com', 'warned@example.com', '', 'v', '', 'US', 'en', '', 1)`,
    ),
    env.DB.prepare(
      `INSERT INTO ledger (id, attempt_id, account_id, gateway, kind, amount, currency, payment_id, arm, occurred_at)
       VALUES ('capture:pi_warned', 'at', 'warned', 'stripe', 'capture', 5999, 'USD', 'pi_warned', '', 1)`,
    ),
  ]);
  const monitor = env.MONITOR.getByName('monitor');
  const minute = Math.floor(Date.now() / 60_000);
  const checkedAt = new Date(minute * 60_000).toISOString().slice(0, 16).replace('T', ' ');
  const watch = (warnings: { paymentId: never; at: number }[]) =>
    monitor.watch({
      version: 'v1',
      checks: [],
      splits: [],
      totals: null,
      minute,
      risks: [{ gateway: 'stripe', disputes: [], warnings }],
    });
  const operator = await asRole('operator');
  const seen = async (path: string, visit = operator) => (await open(path, visit)).text();
  const beside = (watchedAt: number | null) => ({
    ...operator,
    more: { ...operator.more, MONITOR: monitorWithoutAlarms(watchedAt) },
  });
  for (const path of ['/console', '/console/operations']) {
    const html = await seen(path, beside(null));
    expect(html).toContain('Not monitored here');
    expect(html).not.toMatch(/No alarms|No problems\./);
    const listed = Object.values(alarmKinds).every(({ check }) => html.includes(`${check}</li>`));
    expect(listed).toBe(path === '/console/operations');
  }
  await watch([]);
  for (const path of ['/console', '/console/operations']) {
    expect(await seen(path)).not.toMatch(/Not monitored here|warns of fraud/);
    const healthy = await seen(path, beside(minute * 60_000));
    expect(healthy).toMatch(new RegExp(`No problems(\\. C|, c)hecked ${checkedAt}`));
    expect(healthy).not.toContain('open task');
  }
  await watch([{ paymentId: 'pi_warned' as never, at: Date.now() }]);
  const text = 'Stripe warns of fraud: $59.99 from Warned@example.com. If it looks like fraud';
  for (const path of ['/console', '/console/operations']) {
    expect(await seen(path)).toMatch(/\d+ open tasks?\./);
    expect(await seen(path)).toContain(text);
  }
  expect((await seen('/console/people/warned')).split(text)).toHaveLength(3);
  const viewer = await (await open('/console', await asRole('viewer'))).text();
  expect(viewer).toContain('$59.99 from one buyer');
  expect(viewer).not.toContain('Warned@example.com');
});

test('console status: in local development, without cron, the console reads fraud warnings itself', async () => {
  await env.DB.prepare('DELETE FROM dead_letters').run();
  const { fake } = stubUnreliableStripe();
  const { paymentId } = await buyAndProject();
  const visit = { headers: await signIn(), more: { MONITOR: monitorWithoutAlarms(null) } };
  const seen = async (more: object) =>
    (await open('/console', { ...visit, more: { ...visit.more, ...more } })).text();
  const local = { FAKES_URL: 'https://fakes.example' };
  expect(await seen(local)).toContain('Not monitored here');
  fake.warnOfFraud(paymentId);
  const todo = await seen(local);
  expect(todo).toContain('1 open task.');
  expect(todo).toContain('Stripe warns of fraud: $39.99 from ');
  expect(await seen({})).not.toContain('warns of fraud');
});
