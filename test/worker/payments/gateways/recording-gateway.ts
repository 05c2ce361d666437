import { env } from 'cloudflare:test';
import type { PlanId } from '../../../../worker/catalog/plans.ts';
import { stripeGateway } from '../../../../worker/payments/gateways/stripe/gateway.ts';
import type { Attempt } from '../../../../worker/payments/rules/attempt.ts';
import type { ChargeRequest } from '../../../../worker/payments/rules/gateway.ts';
import type { StripeOptions } from '../../../fakes/stripe/server.ts';
import { attempt as anAttempt } from '../attempt-fixture.ts';
import { openBank } from '../purchases/fake-gateway.ts';

export const gateway = stripeGateway(env);

type Step = (path: string, init: RequestInit) => Promise<Response | undefined> | undefined;

/** A bank, and every call that reaches it; `before` may do something first, or answer instead. */
export function listenedBank(before: Step = () => undefined, options: StripeOptions = {}) {
  const calls: { path: string; body: string }[] = [];
  const line =
    (next: typeof fetch): typeof fetch =>
    async (input, init = {}) => {
      const { pathname } = new URL(new Request(input).url);
      const path = `${init.method} ${pathname.replace(/^\/v1/, '')}`;
      calls.push({ path, body: String(init.body ?? '') });
      return (await before(path, init)) ?? next(input, init);
    };
  return { bank: openBank(undefined, line, options), calls };
}

/** What the gateway is asked, for a customer of its own. */
export async function orderOf(
  plan: string,
  nonce: string,
  change: Partial<Attempt> = {},
): Promise<ChargeRequest> {
  const account = crypto.randomUUID();
  const email = `${account}@example.com`;
  const started = {
    id: crypto.randomUUID(),
    plan: plan as PlanId,
    nonce,
    state: 'sent',
    openedAt: Date.now(),
    version: 2,
  } as const;
  const attempt = anAttempt({ ...started, ...change });
  const customerId = (await gateway.customer(account, email)) ?? '';
  return { attempt, account, email, customerId, methodId: null, record() {} };
}

type Bank = ReturnType<typeof openBank>;

/** The states of everything at the bank that could still be paid, or be running. */
export const standing = ({ state }: Bank) => ({
  subscriptions: Object.values(state.subscriptions).map(({ status }) => status),
  invoices: Object.values(state.invoices).map(({ status }) => status),
  intents: Object.values(state.payment_intents).map(({ status }) => status),
});
