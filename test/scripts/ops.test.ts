import { describe, expect, test } from 'vitest';
import { CommandError } from '../../scripts/command.ts';
import { printGateways } from '../../scripts/config/gateways.ts';
import { siteAt, Unconfirmed } from '../../scripts/ops/admin-client.ts';
import { listAlarms, listDifferences, snooze } from '../../scripts/ops/alarms.ts';
import { startRaise } from '../../scripts/ops/raise.ts';
import { listRenewals } from '../../scripts/ops/renewals.ts';
import {
  amountIn,
  deadLetters,
  program,
  requeueDeadLetters,
  sendRefund,
} from '../../scripts/ops.ts';
import { opsContext } from './ops-context.ts';

const lost = new Unconfirmed('The site did not answer.');

describe('the operators’ API', () => {
  function siteWith(response: Response | Error) {
    const requests: { url: string; init: RequestInit | undefined }[] = [];
    const site = siteAt('https://funnel.example', 'secret', 'Zoë', async (input, init) => {
      requests.push({ url: String(input), init });
      if (response instanceof Error) throw response;
      return response;
    });
    return { site, requests };
  }
  const refusal = (status: number, code: string) =>
    Response.json({ errors: { code, messages: ['So it is.'] } }, { status });

  test('a request has token and operator, and follows no redirect', async () => {
    const { site, requests } = siteWith(Response.json({ data: { refunded: 5 } }));
    expect(await site.post('/refunds', { key: 'k' })).toEqual({ refunded: 5 });
    expect(requests).toEqual([
      {
        url: 'https://funnel.example/admin/refunds',
        init: {
          method: 'POST',
          body: '{"key":"k"}',
          headers: {
            authorization: 'Bearer secret',
            'content-type': 'application/json',
            'x-operator': 'Zo%C3%AB',
          },
          redirect: 'error',
        },
      },
    ]);
  });

  test('a token is required, and never sent unencrypted', () => {
    expect(() => siteAt('http://funnel.example', 'secret', 'ann')).toThrow('https://');
    expect(() => siteAt('https://funnel.example', undefined, 'ann')).toThrow('ADMIN_TOKEN');
    expect(() => siteAt('funnel', 'secret', 'ann')).toThrow('not a URL');
    expect(() => siteAt('localhost:8803', undefined, 'ann')).toThrow('not a URL');
    expect(() => siteAt('http://localhost:8787', undefined, 'ann')).toThrow('ADMIN_TOKEN');
    expect(() => siteAt('http://localhost:8787', 'secret', 'ann')).not.toThrow();
  });

  test('a refusal has the site’s message', async () => {
    const { site } = siteWith(refusal(422, 'refund_too_large'));
    await expect(site.get('/x')).rejects.toThrow(new CommandError('So it is.'));
  });

  test('a refusal names the invalid field', async () => {
    const errors = { code: 'malformed_body', messages: ['Not so.'], field: 'amount' };
    const { site } = siteWith(Response.json({ errors }, { status: 400 }));
    await expect(site.get('/x')).rejects.toThrow(new CommandError('Not so. Wrong: amount.'));
  });

  test('the message for not found mentions that the token may be wrong', async () => {
    const { site } = siteWith(refusal(404, 'not_found'));
    await expect(site.get('/x')).rejects.toThrow('The token or the id is wrong');
  });

  test.for<[string, Response | Error]>([
    ['no response', new TypeError('fetch failed')],
    ['a server error', refusal(502, 'gateway_ambiguous')],
    ['a page of a proxy', new Response('<html>', { status: 503 })],
  ])('%s leaves the outcome unknown', async ([, response]) => {
    await expect(siteWith(response).site.post('/x', {})).rejects.toThrow(Unconfirmed);
  });
});

describe('refund', () => {
  const request = { amount: 500, reason: 'asked by mail', key: 'k' };
  const body = { payment_id: 'pi', ...request };

  test('an amount has two decimals, and yen have none', () => {
    expect(['12.50', '0.01', '39.99', '1.10'].map(amountIn)).toEqual([1250, 1, 3999, 110]);
    expect(amountIn('1250 JPY')).toBe(1250);
    for (const text of [
      '12',
      '12 USD',
      '12.50 JPY',
      '12.5',
      '12,50',
      '-1.00',
      '0.00',
      '1e3.00',
      '',
      '1.005',
    ]) {
      expect(() => amountIn(text)).toThrow('two decimals');
    }
  });

  test('prints the refunded amount and the remainder', async () => {
    const { context, requests, printed } = opsContext({
      refunded: 500,
      remaining: 250,
      currency: 'EUR',
    });
    await sendRefund('pi', request, context);
    expect([requests, printed]).toEqual([
      [['/refunds', body]],
      ['Refunded €5.00 of pi; €2.50 can still be refunded.'],
    ]);
  });

  test('repeats the same command twice when the reply is lost, with growing delays', async () => {
    const { context, requests, waits } = opsContext(lost, lost, {
      refunded: 500,
      remaining: 0,
      currency: 'EUR',
    });
    await sendRefund('pi', request, context);
    expect(requests).toEqual(Array(3).fill(['/refunds', body]));
    expect(waits).toEqual([1000, 4000]);
  });

  test('explains how to continue if the outcome stays unknown', async () => {
    const { context, printed } = opsContext(lost, lost, lost);
    await expect(sendRefund('pi', request, context)).rejects.toThrow(
      'The site did not answer.\nIt is unknown whether the refund was made. To find out, repeat the command with --key k',
    );
    expect(printed).toEqual([]);
  });

  test('does not repeat a refused command', async () => {
    const { context, requests } = opsContext(new CommandError('The refund exceeds the rest.'));
    await expect(sendRefund('pi', request, context)).rejects.toThrow(CommandError);
    expect(requests).toHaveLength(1);
  });
});

describe('dead letters', () => {
  const sent = { id: 'q:m', queue: 'q', message_id: 'm', body: { n: 1 } };
  const letter = { ...sent, reason: 'unknown', stored_at: 0 };

  test('are rows of a table', async () => {
    const { context, requests, printed } = opsContext([{ ...letter, replayed_at: null }]);
    await deadLetters(false, context);
    expect(requests).toEqual([['/dead-letters']]);
    expect(printed).toEqual([
      'id                      since  replayed  message',
      'q:m  1970-01-01T00:00:00.000Z        no  {"n":1}',
    ]);
  });

  test('include replayed ones on request only', async () => {
    const { context, requests, printed } = opsContext([]);
    await deadLetters(true, context);
    expect([requests, printed]).toEqual([[['/dead-letters?all=true']], ['No dead letters.']]);
  });

  test('are requeued by one command, however often its reply is lost', async () => {
    const { context, requests, printed } = opsContext(lost, { replayed: false });
    await requeueDeadLetters('q:m', 'k', context);
    expect(requests).toEqual(Array(2).fill(['/dead-letters', { id: 'q:m', key: 'k' }]));
    expect(printed).toEqual(['Requeued q:m.']);
  });
});

test('ops: failed renewals are listed by outcome, with the share that was paid later', async () => {
  const about = { gateway: 'stripe', currency: 'USD' };
  const { context, printed, requests } = opsContext(
    [
      { ...about, outcome: 'new_card', count: 1, amount: 3999, days: 2.04 },
      { ...about, outcome: 'open', count: 2, amount: 7998, days: null },
      { ...about, outcome: 'retried', count: 1, amount: 3999, days: 1 },
    ],
    [],
  );
  await listRenewals(90, context);
  expect(requests).toEqual([['/renewals?days=90']]);
  expect(printed).toEqual([
    'USD: 4 renewals of 159.96 failed, 2 of 79.98 were paid later (50 %).',
    'provider  currency                       outcome  renewals  amount  days',
    'stripe         USD          paid with a new card         1   39.99   2.0',
    'stripe         USD                 unpaid so far         2   79.98      ',
    'stripe         USD  paid by the provider’s retry         1   39.99   1.0',
  ]);
  await listRenewals(7, context);
  expect(printed.at(-1)).toBe('No renewal failed in the last 7 days.');
});

test('ops: a raise is listed, then told page by page, and says where it stopped', async () => {
  const row = {
    ...{ account: 'a', country: 'DE', attempt: 't', gateway: 'stripe', plan: 'monthly_usd' },
    ...{ currency: 'USD', state: 'new', why: null, needsYes: true, before: 3999, after: 4999 },
    at: null,
  };
  const told = { ...row, state: 'announced', needsYes: false, at: Date.UTC(2027, 2, 15) };
  const stopped = { ...row, state: 'stopped', why: 'unnotified', after: 4999 };
  const { context, printed, requests } = opsContext(
    { rows: [row], next: null },
    { rows: [told], next: 'a' },
    { rows: [stopped], next: null },
  );
  const request = { version: 'monthly@2', from: 5, reason: 'r', start: false };
  await startRaise(request, '', context);
  await startRaise({ ...request, start: true }, '', context);
  expect(requests.map(([, body]) => body)).toEqual([
    { ...request, after: '' },
    { ...request, start: true, after: '' },
    { ...request, start: true, after: 'a' },
  ]);
  expect(printed).toEqual([
    expect.stringContaining('account'),
    expect.stringMatching(/39\.99 USD +49\.99 +would be told, needs a yes/),
    '1 would be told, needs a yes.',
    'To tell their owners: repeat the command with --start.',
    '1 subscriptions. To go on from here: --after a',
    expect.stringContaining('account'),
    expect.stringMatching(/49\.99 +2027-03-15 +told$/),
    expect.stringContaining('stopped: the notice did not arrive'),
    '1 told.',
    '1 stopped: the notice did not arrive.',
  ]);
});

describe('gateways', () => {
  const stripe = {
    ...{ gateway: 'stripe', open: true, webhooks: true },
    ...{ unsettled: [], prices: [], unread: null },
  };
  const braintree = { ...stripe, gateway: 'braintree', open: false, webhooks: false };
  const price = (plan: string, id: string | null, problems: string[]) => ({
    plan,
    price: id,
    problems,
  });

  async function printReports(...reports: object[]) {
    const { context, printed } = opsContext(reports);
    return { matches: await printGateways(context.site, context.print), printed };
  }

  test('a plan without its own price is accepted', async () => {
    const prices = [price('monthly', null, ['no price is named']), price('guide', 'price_1', [])];
    expect(await printReports({ ...stripe, prices }, braintree)).toEqual({
      matches: true,
      printed: [
        'provider   takes payments  webhooks  cannot charge                   prices',
        'stripe                yes       yes           none  1 compared, 0 different',
        'braintree              no        no           none                     none',
      ],
    });
  });

  test('gateways: prints the retry settings known from the API, and where to look up the others', async () => {
    const settings = 'https://dashboard.example/retries';
    const retries = { settings, planned: 3, unplanned: 1, furthestDays: 12 };
    const panel = { settings: 'the panel', planned: null, unplanned: null, furthestDays: null };
    const reports = [
      { ...stripe, retries },
      { ...braintree, retries: panel },
    ];
    const { matches, printed } = await printReports(...reports);
    expect(matches).toBe(true);
    expect(printed.slice(-2)).toEqual([
      `stripe: to see how it retries unpaid renewals, open ${settings}. Unpaid now: 3 will be retried, the last one in 12 days; 1 will not.`,
      'braintree: to see how it retries unpaid renewals, open the panel.',
    ]);
  });

  test('a price that differs from the plan is listed', async () => {
    const prices = [price('monthly_usd', 'price_1', ['it is archived', 'amount is 1, not 3999'])];
    const { matches, printed } = await printReports({ ...stripe, prices });
    expect(matches).toBe(false);
    expect(printed.at(-1)).toBe('monthly_usd  price_1  it is archived, amount is 1, not 3999');
  });

  test('prices that could not be read do not match', async () => {
    const { matches, printed } = await printReports({ ...stripe, unread: 'it did not answer' });
    expect([matches, printed[1]]).toEqual([false, expect.stringContaining('it did not answer')]);
  });
});

describe('alarms', () => {
  const walk = { market: 'us', gateway: 'stripe', ok: false, step: 'signup', reason: 'status 503' };
  const alarm = {
    kind: 'provider_slow',
    area: 'payment:stripe',
    segment: 'country DE',
    detail: '7 of 9 in 5 minutes',
    startedAt: 29_700_000,
  };

  test('are listed with their start and the first thing to check', async () => {
    const { context, printed } = opsContext({ watchedAt: 0, alarms: [alarm], checks: [walk] });
    await listAlarms(context);
    expect(printed.join('\n')).toContain('(country DE), since 2026-06-21T00:00Z');
    expect(printed.join('\n')).toContain('Check first: The provider’s status page.');
    expect(printed.at(-1)).toBe('The walk us stripe fails at signup: status 503');
  });

  test('can be snoozed by area, with a reason', async () => {
    const { context, printed, requests } = opsContext({ until: 3_600_000 });
    await snooze('payment:stripe', 4, 'known', context);
    expect(requests).toEqual([
      ['/monitoring/snooze', { area: 'payment:stripe', hours: 4, reason: 'known' }],
    ]);
    expect(printed).toEqual(['payment:stripe is snoozed until 1970-01-01T01:00Z.']);
  });

  test('are no longer snoozed after 0 hours', () => {
    const command = program.commands.find((one) => one.name() === 'alarms');
    const hours = command?.options.find(({ long }) => long === '--hours');
    expect(hours?.parseArg?.('0', undefined)).toBe(0);
    for (const wrong of ['', '-1', '337', 'x'])
      expect(() => hours?.parseArg?.(wrong, undefined), wrong).toThrow('from 0 to 336');
  });

  test('about money are listed with amounts', async () => {
    const difference = {
      kind: 'captured_unsold',
      id: 'capture:pi_1',
      attempt: 'a',
      ledger: null,
      provider: 699,
      currency: 'USD',
    };
    const night = { gateway: 'stripe', day: '2026-11-22', finishedAt: 0, compared: 3 };
    const results = [{ ...night, fetchedEvents: 2, differences: [difference] }];
    const { context, printed } = opsContext({ nightly: results });
    expect(await listDifferences(context)).toBe(false);
    expect(printed.join('\n')).toMatch(/captured_unsold +capture:pi_1 +a +none +6\.99 +USD/);
    expect(printed[0]).toContain('3 movements compared, 2 missed events fetched');
    expect(await listDifferences(opsContext({ nightly: [] }).context)).toBe(true);
  });
});
