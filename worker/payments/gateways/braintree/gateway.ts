import type { Env } from '../../../platform/env.ts';
import { subtract } from '../../../platform/types.ts';
import type { Gateway } from '../../purchase/gateway.ts';
import { unusedCredit } from '../../purchase/plan-change.ts';
import { braintreeCharges } from './charges.ts';
import {
  BraintreeAmbiguousError,
  type BraintreeConfig,
  braintreeCredentials,
  rest,
} from './client.ts';
import { changePlan } from './plan-change.ts';
import { refund } from './sale.ts';
import { statement } from './statement.ts';
import { cancelSubscription } from './subscription.ts';
import { cardFingerprint } from './three-d-secure.ts';
import { textOf } from './xml.ts';

const customerTaken = '91609';

async function customerOf(config: BraintreeConfig, id: string, email: string) {
  const created = await rest(config, 'POST /customers', { customer: { id, email } });
  const exists = created.kind === 'refused' && created.codes.includes(customerTaken);
  if (created.kind === 'refused' && created.codes.length > 0 && !exists) return undefined;
  const found = exists ? await rest(config, `GET /customers/${encodeURIComponent(id)}`) : created;
  const globalId = found.kind === 'done' ? textOf(found.body, 'customer', 'global-id') : '';
  const same = found.kind === 'done' && textOf(found.body, 'customer', 'id') === id;
  if (!globalId || !same) throw new BraintreeAmbiguousError('no customer');
  return globalId;
}

async function forget(config: BraintreeConfig, id: string): Promise<void> {
  const customer = { email: '' };
  const reply = await rest(config, `PUT /customers/${encodeURIComponent(id)}`, { customer });
  if (reply.kind === 'refused') throw new BraintreeAmbiguousError(`customer ${reply.codes}`);
}

export function braintreeGateway(env: Env, signal?: AbortSignal): Gateway {
  const config = { ...braintreeCredentials(env), signal };
  const charges = braintreeCharges(config);
  return {
    ...charges,
    customer: (id, email) => customerOf(config, id, email),
    forget: (id) => forget(config, id),
    fingerprint: (nonce) => cardFingerprint(config, nonce),
    statement: (request) => statement(config, request, Date.now()),

    async cancel({ attempt, owned }) {
      const id = owned?.subscriptionId ?? attempt.charge?.subscriptionId ?? attempt.id;
      await cancelSubscription(config, id);
    },

    // Braintree prorates only between plans with the same billing cycle (error 91922), so we calculate the credit.
    async quote(_request, plan, at, running) {
      const credit = unusedCredit(running, at, plan.currency);
      return { amount: subtract(plan.price, credit), credit };
    },

    change: (request) => changePlan(config, charges, request),
    refund: (_request, paymentId, amount, refunded) => refund(config, paymentId, amount, refunded),
  };
}
