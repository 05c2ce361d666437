import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { accountById } from '../../../worker/accounts/account-table.ts';
import { canonicalMailbox } from '../../../worker/accounts/rules/mailbox.ts';
import { suspensionsOf } from '../../../worker/invitations/sms/sms-limiter-object.ts';
import type { GatewayName, Subscription } from '../../../worker/payments/purchase/state.ts';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import { PurchaseStorage } from '../../../worker/payments/storage/purchase-storage.ts';
import { hmacOf, permanentSecret } from '../../../worker/platform/hmac.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { approved } from '../../fakes/test-nonces.ts';
import { verify } from '../accounts/account-fixture.ts';
import { type Browser, browser, dataOf, signedUp } from '../accounts/browser.ts';
import { refusalOf } from '../request.ts';
import { sampled } from '../sampled.ts';
import { gateways, stubGateways } from './payments-fixture.ts';
import { card, stubOf } from './purchase-helpers.ts';

const subscriptions = '/users/me/subscriptions';
const suspend = (one: string) => suspensionsOf(env, one).suspend(one);
const hashOf = (purpose: 'mailbox' | 'visitor', of: string) =>
  hmacOf(permanentSecret(env), purpose, of);

async function person(one: Browser = browser(), email = `${crypto.randomUUID()}@example.com`) {
  const { access_token, entity } = await signedUp(one, email);
  const token = access_token;
  const send = (path: string, body: object) => one.send(path, body, token);
  const stub = stubOf({ authorization: `Bearer ${token}` });
  return { one, email, send, stub, id: entity.external_user_id as AccountId };
}

type Person = Awaited<ReturnType<typeof person>>;

const order = ({ send }: Person, gateway: GatewayName, plan: string, isExtra = false) =>
  send(`${subscriptions}/${plan}`, {
    ...card(approved[gateway]),
    ...{ gateway, ...(isExtra && { payment_method_nonce: null }) },
  });

async function planOf(who: Person, gateway: GatewayName) {
  expect((await order(who, gateway, 'monthly_usd')).status).toBe(200);
  const [one] = await who.stub.ownedSubscriptions();
  return one?.subscription.attempt ?? '';
}

const store = ({ stub }: Person, change: Partial<Subscription>) =>
  runInDurableObject(stub, (_: Purchases, { storage }) => {
    const ledger = new PurchaseStorage(storage.kv as never);
    const found = ledger.subscriptionInSlot('main');
    if (found) ledger.saveSubscription({ ...found, ...change });
  });

const newCard = ({ send }: Person, gateway: GatewayName) =>
  send('/users/me/card', {
    key: crypto.randomUUID(),
    gateway,
    payment_method_nonce: approved[gateway],
    agreed_amount: 0,
  });

type Act = (send: () => Promise<Response>) => Promise<Response>;

/** What a person with a plan does, where `act` reports them right before the last call. */
const kinds: Record<
  string,
  [answer: string, (who: Person, gateway: GatewayName, act: Act) => Promise<Response>]
> = {
  'another plan': [
    'already_active',
    (who, gateway, act) => act(() => order(who, gateway, 'quarterly_usd')),
  ],
  'the same plan again, which is only looked up': [
    '200',
    (who, gateway, act) => act(() => order(who, gateway, 'monthly_usd')),
  ],
  'an extra': [
    'account_suspended',
    (who, gateway, act) => act(() => order(who, gateway, 'upsell_monthly_999_usd', true)),
  ],
  'a guide': [
    'account_suspended',
    (who, gateway, act) => act(() => order(who, gateway, 'guide_1799_usd', true)),
  ],
  'an upgrade’s price': [
    'account_suspended',
    async (who, gateway, act) => {
      const path = `${subscriptions}/${await planOf(who, gateway)}/changes`;
      return act(() => who.send(path, { kind: 'upgrade', plan: 'quarterly_usd' }));
    },
  ],
  'an upgrade that was quoted before': [
    'account_suspended',
    async (who, gateway, act) => {
      const path = `${subscriptions}/${await planOf(who, gateway)}/changes`;
      const quoted = await who.send(path, { kind: 'upgrade', plan: 'quarterly_usd' });
      const { change } = await dataOf<{ change: { id: string } }>(quoted);
      return act(() => who.send(`${path}/${change.id}`, {}));
    },
  ],
  'the end of a pause': [
    'account_suspended',
    async (who, gateway, act) => {
      const path = `${subscriptions}/${await planOf(who, gateway)}/changes`;
      return act(() => who.send(path, { kind: 'resume' }));
    },
  ],
  'undoing a cancellation': [
    'account_suspended',
    async (who, gateway, act) => {
      const path = `${subscriptions}/${await planOf(who, gateway)}`;
      await who.send(`${path}/cancel`, {});
      return act(() => who.send(`${path}/resume`, {}));
    },
  ],
  'a card for a payment that is due': [
    'account_suspended',
    async (who, gateway, act) => {
      await store(who, { status: 'past_due' });
      return act(() => newCard(who, gateway));
    },
  ],
  'a card for later renewals': ['200', (who, gateway, act) => act(() => newCard(who, gateway))],
  'a pause’s price': [
    '200',
    async (who, gateway, act) => {
      const path = `${subscriptions}/${await planOf(who, gateway)}/changes`;
      return act(() => who.send(path, { kind: 'pause' }));
    },
  ],
  'a cancellation': [
    '200',
    async (who, gateway, act) => {
      const path = `${subscriptions}/${await planOf(who, gateway)}/cancel`;
      return act(() => who.send(path, {}));
    },
  ],
};

const captures = (fakes: ReturnType<typeof stubGateways>) =>
  fakes.captured().filter(({ amount }) => amount > 0).length;

const cells = gateways.flatMap((gateway) =>
  Object.keys(kinds).map((kind) => [gateway, kind] as const),
);

test.each(sampled(cells, 3))('reported buyer: %s: %s', async (gateway, kind) => {
  const fakes = stubGateways();
  const [answer, run] = kinds[kind] ?? ['', () => Promise.reject(new Error(kind))];
  const who = await person();
  await planOf(who, gateway);
  let before = 0;
  const response = await run(who, gateway, async (send) => {
    await suspend(who.id);
    before = captures(fakes);
    return send();
  });
  if (answer === '200') expect(response.status).toBe(200);
  else expect((await refusalOf(response))[1]).toBe(answer);
  expect(captures(fakes)).toBe(before);
});

test.each<[who: string, isVerified: boolean, answer: string | null]>([
  ['nobody', true, null],
  ['the account', false, 'account_suspended'],
  ['the account', true, 'account_suspended'],
  ['the browser', false, 'account_suspended'],
  ['the browser', true, 'account_suspended'],
  ['the mailbox in another spelling', true, 'account_suspended'],
  // A stranger may have typed it.
  ['the mailbox in another spelling', false, null],
])(
  'reported buyer: %s is reported, mailbox proven %s: %s',
  async (reported, isVerified, answer) => {
    const fakes = stubGateways();
    const name = crypto.randomUUID();
    const who = await person(browser(), `${name}+1@example.com`);
    if (isVerified) await verify(who.id);
    const { userUuid = '' } = (await accountById(env.DB, who.id)) ?? {};
    if (reported === 'the account') await suspend(who.id);
    if (reported === 'the browser') await suspend(await hashOf('visitor', userUuid));
    if (reported.startsWith('the mailbox'))
      await suspend(await hashOf('mailbox', canonicalMailbox(`${name}@example.com`)));
    const response = await order(who, 'stripe', 'monthly_usd');
    const refusal = answer && [
      403,
      answer,
      'You can’t buy anything right now, because someone you invited reported your account. Nothing was charged just now. Please write to us under “Support”.',
    ];
    expect(response.status === 200 ? null : await refusalOf(response)).toEqual(refusal);
    expect(captures(fakes)).toBe(answer ? 0 : 1);
  },
);
