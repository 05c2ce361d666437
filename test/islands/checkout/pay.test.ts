import { expect, it, vi } from 'vitest';
import { fakeBrowser } from '../browser.ts';
import { paymentTexts as texts } from './payment-texts.ts';

const confirm = async () => ({});
type Reply = () => Response | Promise<Response>;

/** A page with this `main`, on which a plan can be bought; each call takes the next reply. */
async function openPage(
  _gateway: 'stripe' | 'braintree',
  replies: Reply[],
  main: Record<string, string> = {},
  _plan?: string,
) {
  vi.resetModules();
  fakeBrowser({ main });
  vi.stubGlobal('requestAnimationFrame', () => 0);
  vi.stubGlobal('HTMLScriptElement', class {});
  const sent: Record<string, unknown>[] = [];
  vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
    if (body) sent.push(JSON.parse(String(body)));
    return (replies.shift() as Reply)();
  });
  const events: string[] = [];
  vi.doMock('../../../islands/runtime/tracking/track.ts', () => ({
    track: (name: string) => void events.push(name),
  }));
  // Its timer would fire after a test's end.
  vi.doMock('../../../islands/runtime/navigation/prerender-page.ts', () => ({
    prerenderNext: () => {},
  }));
  const navigate = vi.fn(async () => {});
  vi.doMock('../../../islands/runtime/navigation/navigate.ts', () => ({ navigate }));
  const { buy, payMainPlan } = await import('../../../islands/checkout/pay.ts');
  return { buy, payMainPlan, sent, events, navigate };
}

async function payFor(...page: Parameters<typeof openPage>) {
  const { buy, ...seen } = await openPage(...page);
  const [gateway, , , plan = 'monthly_eur'] = page;
  const outcome = await buy({ plan, provider: { gateway, confirm }, texts });
  return { ...seen, outcome };
}

const refused = () =>
  Response.json({ errors: { messages: ['no'], code: 'purchase_in_progress' } }, { status: 409 });
const declined = () => Response.json({ errors: { messages: ['no'], code: 'card_declined' } });
const active = {
  status: 'active',
  subscription_id: 's',
  event_id: 'e',
  price_with_discount: '39.99',
  customer_id: null,
  payment_intent_secret: null,
  payment_intent_id: null,
};
const paid = () => Response.json({ data: active });
const polling = () => Response.json({ data: { polling_result_id: 'p' } });
const polled = () => Response.json({ data: { result_data: active } });

it('purchase: sends the version of the terms shown', async () => {
  const { sent, outcome } = await payFor('stripe', [refused], {
    terms: 'v1|de|euro|1t2v|Europe/Berlin',
  });
  expect(sent.map(({ terms_shown }) => terms_shown)).toEqual(['v1|de|euro|1t2v|Europe/Berlin']);
  expect(outcome).toMatchObject({ kind: 'failed', message: 'no' });
});

it('purchase: sends the catalogue data of the plan', async () => {
  const plan = { name: 'Monthly', price: '39.99', periodPrice: '39.99', currency: 'EUR' };
  const plans = JSON.stringify({ monthly_eur: plan, quarterly_eur: { price: '59.99' } });
  const { sent } = await payFor('stripe', [refused], { plans });
  expect(sent[0]?.user_data).toMatchObject({ ...plan, external_user_id: '' });
  const without = await payFor('stripe', [refused]);
  expect(without.sent[0]?.user_data).not.toHaveProperty('price');
});

it.each(['upsell_monthly_999_eur', 'guide_1799_eur'])(
  'purchase: sends the renewal of %s, whatever plan was selected before',
  async (plan) => {
    const period = plan.startsWith('guide') ? 'once' : 'month';
    const plans = JSON.stringify({ [plan]: { period } });
    const { sent } = await payFor('stripe', [refused], { plans }, plan);
    expect(sent[0]?.user_data).toMatchObject({ period, flow_type: 'default' });
  },
);

it.each([
  ['stripe', [polling, polled]],
  ['braintree', [paid]],
  ['braintree', [declined]],
  ['braintree', [() => new Promise<Response>((done) => setTimeout(() => done(paid()), 700))]],
] as const)('purchase: tracks processing once for %s', async (gateway, replies) => {
  const { events } = await payFor(gateway, [...replies]);
  expect(events).toEqual(['processing_started']);
});

it.each(['stripe', 'braintree'] as const)(
  'purchase: a refusal by %s is not tracked as processing',
  async (gateway) => {
    expect((await payFor(gateway, [refused])).events).toEqual([]);
  },
);

it('purchase: a refusal is kept by what was declined, and that it is the second', async () => {
  const { payMainPlan, navigate } = await openPage('braintree', [declined, declined, paid]);
  const provider = { gateway: 'braintree', confirm } as never;
  const pay = (method: object) =>
    payMainPlan({ plan: 'monthly_eur', provider, nonce: 'n', texts, amount: '$5', ...method });
  const { $checkout } = await import('../../../islands/stores/checkout.ts');
  await pay({ card: 'Visa •••• 0002' });
  expect(navigate.mock.calls).toEqual([['/payment_declined']]);
  expect($checkout.get()).toMatchObject({
    declined: 'Visa •••• 0002 · $5',
    declinedMethod: 'Visa •••• 0002',
    declinedWallet: '',
    declinedAgain: false,
  });
  await pay({ card: 'Visa •••• 4242', wallet: 'Google Pay' });
  expect($checkout.get()).toMatchObject({
    declined: 'Google Pay · $5',
    declinedWallet: 'Google Pay',
    declinedAgain: true,
  });
  await pay({ card: 'Visa •••• 4242' });
  expect($checkout.get()).toMatchObject({ declined: '', declinedMethod: '', isDeclined: false });
});

it.each([
  ['within the flow', { next: '/upsell_an_private', first: '/one_pager' }, '/upsell_an_private'],
  ['outside the flow', { next: '/one_pager', first: '/one_pager' }, '/success'],
  ['at the end of the flow', { first: '/one_pager' }, '/success'],
])('purchase: a checkout %s leads to its next screen', async (_place, main, next) => {
  const { payMainPlan, navigate, events } = await openPage('braintree', [paid], main);
  const provider = { gateway: 'braintree', confirm } as never;
  await payMainPlan({ plan: 'monthly_eur', provider, nonce: 'n', texts });
  expect(navigate.mock.calls).toEqual([[next]]);
  expect(events).toEqual(['processing_started', 'subs_purchase_completed']);
});
