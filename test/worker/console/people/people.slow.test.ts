import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { readRisks } from '../../../../worker/monitoring/risk-reader.ts';
import { logger } from '../../../../worker/platform/log.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { auditOf } from '../../payments/webhooks/admin-client.ts';
import {
  buyAndProject,
  failingBinding,
  stubUnreliableStripe,
} from '../../payments/webhooks/webhook-fixture.ts';
import { recordingQueue } from '../../queue.ts';
import { asRole, hiddenFields, open, send, signIn } from '../console-client.ts';

const textOf = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

/** A buyer with an account in D1, as after sign-up. */
async function person() {
  const { fake, line } = stubUnreliableStripe();
  const bought = await buyAndProject();
  const email = `Ann-${bought.account}@example.com`;
  await env.DB.prepare(
    `INSERT INTO accounts (id, email, email_key, name, visitor_id, landing_type, country, language, arm, created_at)
     VALUES (?, ?, ?, '<b>Ann</b>', 'v', '', 'US', 'en', 'fullPrice', 1)`,
  )
    .bind(bought.account, email, email.toLowerCase())
    .run();
  return { ...bought, fake, line, email, path: `/console/people/${bought.account}` };
}

test('console people: a person is found by e-mail or its beginning, in any case, and by payment, attempt and account', async () => {
  const { account, attempt, paymentId, email, path } = await person();
  const headers = await signIn();
  const parts = [email.toUpperCase(), email.slice(0, 12), ` ${email} `];
  for (const text of [...parts, paymentId, attempt, account]) {
    const found = await send('/console/people', { text }, { headers });
    expect([text, found.status, found.headers.get('location')]).toEqual([text, 303, path]);
  }
  const html = await (await send('/console/people', { text: "' OR 1=1 --" }, { headers })).text();
  expect(html).toContain('No account was found.');
  expect(html).toContain('value="&#x27; OR 1=1 --"');
});

test('console people: several found are listed newest first, with plan, state and what they paid', async () => {
  const { email } = await person();
  const prefix = email.slice(0, -'@example.com'.length).toLowerCase();
  await env.DB.prepare(
    `INSERT INTO accounts (id, email, email_key, name, visitor_id, landing_type, country, language, arm, created_at)
     VALUES ('newest', ?1, ?1, '', 'v', '', 'US', 'en', 'fullPrice', 3),
       ('newer', ?2, ?2, '', 'v', '', 'US', 'en', 'fullPrice', 2)`,
  )
    .bind(`${prefix}@z.example`, `${prefix}@y.example`)
    .run();
  // The extra is paid for longer than the main plan.
  await env.DB.prepare(
    `INSERT INTO subscriptions (attempt_id, account_id, slot, plan, gateway, status, paid_until, cancel_at_period_end, version)
     VALUES ('a', 'newer', 'main', 'quarterly_usd', 'stripe', 'active', 2, 0, 1),
       ('b', 'newer', 'upsell', 'upsell_monthly_999_usd', 'stripe', 'active', 3, 0, 1)`,
  ).run();
  const headers = await signIn();
  const found = await (await send('/console/people', { text: prefix }, { headers })).text();
  expect(textOf(found)).toMatch(
    new RegExp(
      `${prefix}@z.example United States Signed up – .*${prefix}@y.example Quarterly plan \\+1 · United States Active – .*${email} Monthly plan · .* Active \\$39\\.99.*1–3 of 3\\.`,
    ),
  );
});

test('console people: the latest payments are listed, and the id of one leads to its buyer', async () => {
  const { path, email, paymentId } = await person();
  const headers = await signIn();
  const list = textOf(await (await open('/console/people', { headers })).text());
  expect(list).toMatch(new RegExp(`Latest payments .*${email} Monthly plan · .* First \\$39\\.99`));
  const found = await open(`/console/people?id=${paymentId}`, { headers });
  expect(found.headers.get('location')).toBe(path);
});

test('console people: a coupon search finds its buyers and leaves out failed attempts', async () => {
  const { attempt, path } = await person();
  const headers = await signIn();
  const use = (state: string) =>
    env.DB.prepare("UPDATE attempts SET coupon = 'DEC20', state = ? WHERE id = ?")
      .bind(state, attempt)
      .run();
  const find = () => send('/console/people', { text: 'dec20' }, { headers });
  await use('declined');
  expect(await (await find()).text()).toContain('No account was found.');
  await use('active');
  expect((await find()).headers.get('location')).toBe(path);
  // Another buyer, whose account was deleted, bought later.
  await env.DB.prepare(
    `INSERT INTO attempts (id, account_id, slot, plan, gateway, amount, coupon, arm, state, opened_at, version)
     VALUES ('later', 'gone', 'main', 'monthly_usd', 'stripe', 3199, 'DEC20', '', 'active', 4102444800000, 1)`,
  ).run();
  const [later = '', earlier = ''] = (await (await find()).text())
    .split('<li>')
    .slice(-2)
    .map(textOf);
  expect(later).toContain('2100-01-01 00:00 deleted account Monthly plan $31.99');
  expect(earlier).toMatch(/@example.com Monthly plan · /);
});

test('console people: the page has account, subscription, payment and timeline, and names are escaped', async () => {
  const { path, email, paymentId } = await person();
  const html = await (await open(path, { headers: await signIn() })).text();
  const text = textOf(html);
  expect(text).toContain(email);
  expect(text).toMatch(new RegExp(`Monthly plan Stripe, ${paymentId} \\$39\\.99 .*Paid `));
  expect(text).toMatch(/Bought Monthly plan for \$39\.99 at Stripe\./);
  expect(text).toMatch(/Monthly plan Stripe Active Renews \d{4}-\d\d-\d\d for \$39\.99\./);
  expect(text).toContain('Up to $39.99 can still be refunded.');
  expect(html).toContain('&lt;b&gt;Ann&lt;/b&gt;');
  expect(html).not.toContain('<b>Ann');
});

test('console people: the timeline has a dispute from its opening to its end', async () => {
  const { path, paymentId, fake } = await person();
  const headers = await signIn();
  const id = fake.dispute(paymentId, 'fraudulent');
  const timelineHtml = async () => {
    await readRisks(env, 0, logger());
    return textOf(await (await open(path, { headers })).text());
  };
  const opened = await timelineHtml();
  expect(opened).toContain(
    `The buyer disputed $39.99 of payment ${paymentId} at Stripe: fraudulent.`,
  );
  expect(opened).toContain('Deadline to send Stripe evidence');
  const answer = (words: string) =>
    fake.fetch(`https://api.stripe.com/v1/disputes/${id}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_fake' },
      body: new URLSearchParams({ 'evidence[uncategorized_text]': words }),
    });
  await answer('The buyer uses the app each day.');
  const answered = await timelineHtml();
  expect(answered).toContain('Evidence was sent to Stripe');
  expect(answered).not.toContain('Deadline');
  await answer('winning_evidence');
  expect(await timelineHtml()).toContain('we keep $39.99.');
});

/** Opens an action's page and sends its form. */
async function act(path: string, fields: Record<string, string>, headers: Record<string, string>) {
  const html = await (await open(path, { headers })).text();
  const { key = '' } = hiddenFields(html);
  const all = { key, ...fields };
  return { send: () => send(path, all, { headers }), all, html };
}

test('console people: a receipt is sent again with the original text', async () => {
  const { path, paymentId, account } = await person();
  const headers = await signIn();
  const { sent, queue } = recordingQueue();
  const fields = { key: 'one', reason: 'lost it' };
  const response = await send(`${path}/receipt/${paymentId}`, fields, {
    headers,
    more: { EMAIL_QUEUE: queue },
  });
  expect(response.headers.get('location')).toBe(`${path}?done=receipt`);
  expect(sent).toMatchObject([
    {
      id: `receipt:${paymentId}:one`,
      template: 'purchase_confirmation',
      account,
      data: { paid: 3999, receipt: paymentId },
    },
  ]);
  expect(await auditOf(paymentId)).toMatchObject([{ action: 'receipt', result: 'queued' }]);
  expect((await open(`${path}/receipt/pi_unknown`, { headers })).status).toBe(404);
});

test('console people: resent receipts count towards the e-mail limit of a mailbox', async () => {
  const { path, paymentId } = await person();
  const headers = await signIn();
  const { sent, queue } = recordingQueue();
  const answers = [];
  for (const key of ['one', 'two', 'three', 'four']) {
    const fields = { key, reason: 'lost it' };
    const more = { EMAIL_QUEUE: queue };
    answers.push(await send(`${path}/receipt/${paymentId}`, fields, { headers, more }));
  }
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 422]);
  expect(await answers[3]?.text()).toContain('This address has already received several emails.');
  expect(sent).toHaveLength(3);
});

test('console people: a partial refund is made once, however often the form is sent', async () => {
  const { path, paymentId, fake } = await person();
  const headers = await signIn();
  const refund = await act(
    `${path}/refund/${paymentId}`,
    { amount: '10.00', reason: 'asked by mail', step: 'confirmed' },
    headers,
  );
  const [first, second] = [await refund.send(), await refund.send()];
  expect([first.status, first.headers.get('location')]).toEqual([303, `${path}?done=refund`]);
  expect(second.status).toBe(303);
  expect(fake.captures()).toMatchObject([{ amount: 3999, refunded: 1000 }]);
  expect(await auditOf(paymentId)).toMatchObject([
    { operator: 'you@localhost', reason: 'asked by mail', result: 'refunded 1000 USD' },
    { result: 'refunded 1000 USD' },
  ]);
  await vi.waitFor(async () => {
    const text = textOf(await (await open(path, { headers })).text());
    expect(text).toContain('$39.99 $10.00 refunded Up to $29.99 can still be refunded.');
  }, pollTimeout);
  const done = textOf(await (await open(`${path}?done=refund`, { headers })).text());
  expect(done).toContain('$10.00 was refunded.');
  expect(done).toContain('you@localhost refunded $10.00. Reason: asked by mail');
});

test.each([
  [{ amount: '10' }, 'Enter a reason.'],
  [{ reason: 'x', amount: 'ten' }, 'Enter an amount, such as 12.50.'],
  [{ reason: 'x', amount: '40.00', step: 'confirmed' }, 'At most $39.99 can be refunded.'],
] as [Record<string, string>, string][])(
  'console people: a refund with %j is not made: %s',
  async (fields, problem) => {
    const { path, paymentId, fake } = await person();
    const response = await (
      await act(`${path}/refund/${paymentId}`, fields, await signIn())
    ).send();
    expect(response.status).toBe(422);
    const html = await response.text();
    expect(html).toContain(problem);
    // The input stays.
    for (const [name, value] of Object.entries(fields).filter(([name]) => name !== 'step')) {
      const input = html.match(new RegExp(`<input[^>]*name="${name}"[^>]*>`))?.[0];
      expect(input).toContain(`value="${value}"`);
    }
    expect(fake.captures()).toMatchObject([{ refunded: 0 }]);
  },
);

test('console people: the amount is confirmed before a refund, and can be changed', async () => {
  const { path, paymentId, fake } = await person();
  const headers = await signIn();
  const fields = { amount: '12,5', reason: 'Good <i>will</i>' };
  const refund = await act(`${path}/refund/${paymentId}`, fields, headers);
  const confirmation = await (await refund.send()).text();
  expect(textOf(confirmation)).toContain('Refund $12.50');
  expect(confirmation).toContain('Good &lt;i&gt;will&lt;/i&gt;');
  expect(fake.captures()).toMatchObject([{ refunded: 0 }]);
  const kept = hiddenFields(confirmation);
  expect(kept).toMatchObject(refund.all);
  const step = (step: string) =>
    send(`${path}/refund/${paymentId}`, { ...kept, step }, { headers });
  expect(await (await step('change')).text()).toContain('value="12,5"');
  await step('confirmed');
  expect(fake.captures()).toMatchObject([{ refunded: 1250 }]);
});

test('console people: a refund whose outcome is unknown can only be repeated unchanged, and is made once', async () => {
  const { path, paymentId, fake, line } = await person();
  const headers = await signIn();
  const fields = { amount: '10.00', reason: 'x', step: 'confirmed' };
  const refund = await act(`${path}/refund/${paymentId}`, fields, headers);
  line.lose = (call) => call === 'POST /v1/refunds';
  const html = await (await refund.send()).text();
  line.lose = () => false;
  expect(html).toContain('it may have been done');
  expect(html).toMatch(/<input[^>]*readOnly=""[^>]*value="10.00"/i);
  expect(hiddenFields(html).key).toBe(refund.all.key);
  expect((await refund.send()).status).toBe(303);
  expect(fake.captures()).toMatchObject([{ refunded: 1000 }]);
});

test('console people: a sample payment is labelled as such and offers no refund', async () => {
  const facts = { account: 'sample-1', plan: 'monthly_usd', payment: 'sample-1-main' };
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO attempts (id, account_id, slot, plan, gateway, amount, arm, state, opened_at, version)
       VALUES ('sample-1-at', ?, 'main', ?, 'stripe', 3999, '', 'active', 1, 1)`,
    ).bind(facts.account, facts.plan),
    env.DB.prepare(
      `INSERT INTO ledger (id, attempt_id, account_id, gateway, kind, amount, currency, payment_id, arm, occurred_at)
       VALUES ('sample-1-c', 'sample-1-at', ?, 'stripe', 'capture', 3999, 'USD', ?, '', 1)`,
    ).bind(facts.account, facts.payment),
  ]);
  const headers = await signIn();
  const path = `/console/people/${facts.account}`;
  const words = 'Sample data: no payment here is real.';
  const html = await (await open(path, { headers })).text();
  expect(html).toContain(words);
  expect(html).not.toContain('/refund/');
  const form = await (await open(`${path}/refund/${facts.payment}`, { headers })).text();
  expect(form).toContain(words);
  expect(form).not.toContain('name="amount"');
  const sent = { key: 'k', reason: 'x', amount: '1', step: 'confirmed' };
  expect((await send(`${path}/refund/${facts.payment}`, sent, { headers })).status).toBe(404);
});

test('console people: renewals are cancelled after the page has stated the consequences', async () => {
  const { path, attempt, stub } = await person();
  const headers = await signIn();
  const page = await (await open(`${path}/end/${attempt}`, { headers })).text();
  expect(page).toContain('The buyer keeps access until the end of the paid period');
  const end = await act(`${path}/end/${attempt}`, { reason: 'asked' }, headers);
  expect((await end.send()).headers.get('location')).toBe(`${path}?done=end`);
  const [owned] = await stub.ownedSubscriptions();
  expect(owned?.subscription.cancelRequestedAt).not.toBeNull();
});

test('console people: no action is executed without its audit row', async () => {
  const { path, paymentId, fake } = await person();
  const headers = await signIn();
  const { all } = await act(
    `${path}/refund/${paymentId}`,
    { amount: '1.00', reason: 'x', step: 'confirmed' },
    headers,
  );
  const response = await send(`${path}/refund/${paymentId}`, all, {
    headers,
    more: { DB: failingBinding },
  });
  expect(response.status).toBe(503);
  expect(fake.captures()).toMatchObject([{ refunded: 0 }]);
});

test('console people: an unknown account, payment or subscription is not found', async () => {
  const { path } = await person();
  const headers = await signIn();
  for (const unknown of ['/console/people/nobody', `${path}/refund/pi_x`, `${path}/end/x`])
    expect([unknown, (await open(unknown, { headers })).status]).toEqual([unknown, 404]);
});

test('console people: an account that is not suspended cannot be released', async () => {
  const { path } = await person();
  const release = await act(`${path}/release`, { reason: 'x' }, await signIn());
  expect(await (await release.send()).text()).toContain('There is nothing to do');
});

test('console people: the link into the app is sent again, and the audit has the reason', async () => {
  const { path, account } = await person();
  const headers = await signIn();
  const { sent, queue } = recordingQueue();
  const link = await act(`${path}/link`, { reason: 'lost it' }, headers);
  const visit = { headers, more: { EMAIL_QUEUE: queue as never } };
  const response = await send(`${path}/link`, link.all, visit);
  expect(response.headers.get('location')).toBe(`${path}?done=link`);
  expect(sent).toMatchObject([{ template: 'app_link', account }]);
  // Sending the same form again is the same e-mail.
  await send(`${path}/link`, link.all, visit);
  expect(new Set((sent as { id: string }[]).map(({ id }) => id)).size).toBe(1);
  expect(await auditOf(account)).toMatchObject([
    { action: 'link', reason: 'lost it', result: 'queued' },
    { action: 'link', reason: 'lost it', result: 'queued' },
  ]);
});

test('console people: personal data are exported as a file, and then deleted with their renewals ended', async () => {
  const { path, account, email } = await person();
  const headers = await signIn();
  const exported = await (await act(`${path}/export`, { reason: 'asked' }, headers)).send();
  expect(exported.headers.get('content-disposition')).toContain(`${account}.json`);
  const data = (await exported.json()) as { account: object[]; payments: object[] };
  expect(data.account).toMatchObject([{ id: account, email }]);
  expect(data.payments).toHaveLength(1);

  const remove = await act(
    `${path}/delete`,
    { reason: 'asked', typed: 'another@example.com' },
    headers,
  );
  expect(textOf(remove.html)).toMatch(
    /Today Monthly plan at Stripe: active\..*Will happen .*Deleted .*Kept 1 payment,/,
  );
  const refused = await remove.send();
  expect([refused.status, textOf(await refused.text())]).toEqual([
    422,
    expect.stringContaining(`Type ${email} to confirm.`),
  ]);
  const asked = { reason: 'asked', typed: ` ${email.toUpperCase()}` };
  const deleted = await (await act(`${path}/delete`, asked, headers)).send();
  expect(deleted.headers.get('location')).toBe(`/console/audit?q=${account}`);
  const left = await env.DB.prepare('SELECT count(*) AS n FROM accounts WHERE id = ?')
    .bind(account)
    .first('n');
  expect(left).toBe(0);
  expect(await auditOf(account)).toMatchObject([
    { action: 'export', result: 'exported' },
    { action: 'delete', result: expect.stringContaining('deleted; subscriptions: 1') },
  ]);
  const html = await (await open(path, { headers })).text();
  expect(html).not.toContain(email);
  expect(html).toContain('deleted');
});

test.each(['viewer', 'marketer'] as const)(
  'console people: a %s can see neither people nor the pages of actions',
  async (role) => {
    const { path } = await person();
    const visit = await asRole(role);
    for (const action of ['', '/link', '/export', '/delete', '/release'])
      expect((await open(`${path}${action}`, visit)).status).toBe(403);
  },
);
