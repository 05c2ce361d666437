import { html, raw } from 'hono/html';
import type { Bank } from './simulate.ts';

const style = `body { font: 16px/1.5 system-ui; max-width: 860px; margin: 24px auto; padding: 0 16px }
table { border-collapse: collapse; inline-size: 100% } td, th { text-align: start; padding: 6px 8px }
tr { border-block-end: 1px solid #8884 } form { display: inline } button { font: inherit }
:root { color-scheme: light dark }`;

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
    // The subscription has the attempt's own id, which its first payment names as its order.
    const id = row.subscription ?? orderId ?? '';
    const begun = braintree.state.subscriptions[id];
    const subscription = begun ? id : null;
    return { ...row, gateway: 'braintree', payment, plan: begun?.planId ?? '', subscription };
  }),
];

const running = ({ stripe, braintree }: Bank, id: string) =>
  (stripe.state.subscriptions[id] ?? braintree.state.subscriptions[id])?.status.toLowerCase() !==
  'canceled';

const button = (label: string, deed: string, id = '') =>
  html`<form method="post"><input type="hidden" name="deed" value="${deed}"><input type="hidden" name="id" value="${id}"><button>${label}</button></form> `;

/** Every payment that the stand-ins took, newest first, and what may happen to it there. */
export async function bankPage(bank: Bank): Promise<Response> {
  const rows = rowsOf(bank).reverse();
  const days = Math.round(bank.clock.ahead / 86_400_000);
  const page = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Payments of the stand-ins</title>
<meta name="viewport" content="width=device-width"><style>${raw(style)}</style></head><body>
<h1>Payments of the stand-ins</h1>
<p>Press a button: it happens there, and the funnel is told by a signed webhook. No money moves.
Braintree tells nobody of a refund; the account asks by itself later.</p>
<p>Their clock is ${days} days ahead. ${button('Let a month pass', 'month')}</p>
<table><tr><th>Provider</th><th>Plan</th><th>Paid</th><th>Given back</th><th></th></tr>
${rows.map(
  (row) => html`<tr><td>${row.gateway}</td><td>${row.plan}</td>
<td>${(row.amount / 100).toFixed(2)} ${row.currency.toUpperCase()}</td><td>${(row.refunded / 100).toFixed(2)}</td>
<td>${row.refunded < row.amount ? button('Refund', `${row.gateway} refund`, row.payment) : ''}
${button('Dispute and lose', `${row.gateway} dispute`, row.payment)}
${row.gateway === 'stripe' ? button('Warn of fraud', 'stripe warning', row.payment) : ''}
${row.subscription && running(bank, row.subscription) ? button('End', `${row.gateway} cancel`, row.subscription) : ''}</td></tr>`,
)}</table></body></html>`;
  return new Response(page.toString(), { headers: { 'content-type': 'text/html; charset=utf-8' } });
}
