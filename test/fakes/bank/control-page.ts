import { html } from 'hono/html';
import { bodyText } from '../body-text.ts';
import type { BraintreeFake } from '../braintree/server.ts';
import { controlPage } from '../control-page.ts';
import type { StripeFake } from '../stripe/server.ts';

/** `ahead`: how far both fakes' clocks are ahead of the real one, in ms. */
interface Bank {
  stripe: StripeFake;
  braintree: BraintreeFake;
  clock: { ahead: number };
}

/** Longer than any month, plus the hour for which Stripe's invoices are drafts. */
const monthMs = 32 * 24 * 3_600_000;
const stripeApi = 'https://api.stripe.com/v1';
const braintreeApi = 'https://api.sandbox.braintreegateway.com/merchants/fake_merchant';
const stripeHeaders = { authorization: 'Bearer sk_test_fake' };
const braintreeHeaders = {
  authorization: `Basic ${btoa('fake_public:fake_private')}`,
  'content-type': 'application/json',
};

async function requireOk(response: Promise<Response>): Promise<void> {
  const { ok, status } = await response;
  if (!ok) throw new Error(`the gateway answered ${status}`);
}

const toStripe = ({ stripe }: Bank, method: string, path: string, fields = {}) =>
  requireOk(
    stripe.fetch(`${stripeApi}/${path}`, {
      method,
      headers: stripeHeaders,
      body: method === 'POST' ? new URLSearchParams(fields) : undefined,
    }),
  );
const toBraintree = ({ braintree }: Bank, method: string, path: string) =>
  requireOk(
    braintree.fetch(`${braintreeApi}/${path}`, { method, headers: braintreeHeaders, body: '{}' }),
  );

/** Events of a payment or subscription at a gateway that need no call of ours. */
const actions: Record<string, (bank: Bank, id: string) => Promise<void>> = {
  'stripe refund': (bank, payment_intent) => toStripe(bank, 'POST', 'refunds', { payment_intent }),
  'stripe dispute': (bank, intent) =>
    toStripe(bank, 'POST', `disputes/${bank.stripe.dispute(intent)}/close`),
  'stripe warning': async ({ stripe }, intent) => stripe.warnOfFraud(intent),
  'stripe cancel': (bank, id) => toStripe(bank, 'DELETE', `subscriptions/${id}`),
  'braintree refund': (bank, id) => {
    const settled = bank.braintree.state.transactions[id]?.status === 'SETTLED';
    return settled
      ? toBraintree(bank, 'POST', `transactions/${id}/refund`)
      : toBraintree(bank, 'PUT', `transactions/${id}/void`);
  },
  'braintree dispute': async ({ braintree }, id) => {
    braintree.dispute(id);
    braintree.lose(id);
  },
  'braintree cancel': (bank, id) => toBraintree(bank, 'PUT', `subscriptions/${id}/cancel`),
  decline: async ({ stripe, braintree }) => {
    const { cards } = stripe.state;
    for (const id of Object.keys(cards)) cards[id] = 'pm_card_chargeCustomerFail';
    for (const token of Object.keys(braintree.state.methods)) braintree.decline(token, '2001');
  },
  month: async ({ stripe, braintree, clock }) => {
    clock.ahead += monthMs;
    stripe.passTime();
    await braintree.passTime();
  },
};

interface Row {
  gateway: string;
  payment: string;
  plan: string;
  amount: number;
  refunded: number;
  currency: string;
  subscription: string | null;
}

const rowsOf = ({ stripe, braintree }: Bank): Row[] => [
  ...stripe.captures().map(({ payment_intent: payment, metadata, ...row }) => ({
    ...row,
    gateway: 'stripe',
    payment,
    plan: metadata.plan ?? '',
  })),
  ...braintree.captures().map(({ transaction: payment, orderId, ...row }) => {
    // The subscription's id is the attempt's, which is the order id of its first payment.
    const id = row.subscription ?? orderId ?? '';
    const renewing = braintree.state.subscriptions[id];
    const subscription = renewing ? id : null;
    return { ...row, gateway: 'braintree', payment, plan: renewing?.planId ?? '', subscription };
  }),
];

const running = ({ stripe, braintree }: Bank, id: string) =>
  (stripe.state.subscriptions[id] ?? braintree.state.subscriptions[id])?.status.toLowerCase() !==
  'canceled';
const button = (label: string, action: string, id = '') =>
  html`<form method="post"><input type="hidden" name="action" value="${action}"><input type="hidden" name="id" value="${id}"><button>${label}</button></form> `;

/** Every captured payment, newest first, with buttons. */
async function render(bank: Bank): Promise<Response> {
  const rows = rowsOf(bank).reverse();
  const days = Math.round(bank.clock.ahead / 86_400_000);
  return controlPage(
    'Payments at the fakes',
    html`<p>Each button acts at the gateway, which then sends a signed webhook. No money moves. Braintree sends no
webhook for a refund; the account reads it later.</p>
<p>Their clock is ${days} days ahead. ${button('Let a month pass', 'month')}
${button('Decline all saved cards from now on', 'decline')}</p>
<table><tr><th>Gateway</th><th>Plan</th><th>Paid</th><th>Refunded</th><th></th></tr>
${rows.map(
  (row) => html`<tr><td>${row.gateway}</td><td>${row.plan}</td>
<td>${(row.amount / 100).toFixed(2)} ${row.currency.toUpperCase()}</td><td>${(row.refunded / 100).toFixed(2)}</td>
<td>${row.refunded < row.amount ? button('Refund', `${row.gateway} refund`, row.payment) : ''}
${button('Dispute and lose', `${row.gateway} dispute`, row.payment)}
${row.gateway === 'stripe' ? button('Warn of fraud', 'stripe warning', row.payment) : ''}
${row.subscription && running(bank, row.subscription) ? button('End', `${row.gateway} cancel`, row.subscription) : ''}</td></tr>`,
)}</table>`,
  );
}

/** The page, and the POSTs of its buttons. */
export function bankPage(bank: Bank) {
  return async (request: Request): Promise<Response> => {
    if (request.method !== 'POST') return render(bank);
    const form = new URLSearchParams(await bodyText(request));
    const action = actions[form.get('action') ?? ''];
    if (!action) return new Response('unknown action\n', { status: 400 });
    try {
      await action(bank, form.get('id') ?? '');
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'it failed';
      return new Response(`${reason}\n`, { status: 409 });
    }
    return new Response(null, { status: 303, headers: { location: '.' } });
  };
}
