import type { GatewayName } from '../../../worker/payments/purchase/state.ts';
import { newVisitorKey, visitorIdOf } from '../../../worker/visitor/visitor-key.ts';
import { approved, declining } from '../../fakes/test-nonces.ts';
import { pollTimeout } from '../../poll-timeout.ts';

interface Init {
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** How a visitor's browser reaches the funnel. */
type SendRequest = (path: string, init: Init) => Promise<{ status: number; body: string }>;

interface SignedUp {
  data: { access_token: string; entity: { external_user_id: string } };
}
interface StartedPurchase {
  data: { polling_result_id: string };
}
interface Polled {
  data?: { result_data: { status: string } | null };
  errors?: { code: string };
}

const browser = { 'accept-language': 'en', 'user-agent': 'Mozilla/5.0' };
const pollPause = 50;

/** Visitors from the landing to the success screen, in a funnel whose calls fail now and then. */
export function visitors(send: SendRequest) {
  const counts = { pages: 0, calls: 0, refused: 0, declined: 0 };

  async function open(path: string): Promise<void> {
    const { status } = await send(path, { method: 'GET', headers: browser });
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    counts.pages += 1;
  }

  /** An API call that is repeated like by a visitor while it fails temporarily. */
  async function call<Body>(
    path: string,
    body?: object,
    token?: string,
    cookie?: string,
  ): Promise<Body> {
    for (;;) {
      const answer = await send(`/api/v1${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          ...browser,
          'content-type': 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
          ...(cookie && { cookie }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      counts.calls += 1;
      if (answer.status < 300) return (answer.body ? JSON.parse(answer.body) : {}) as Body;
      if (answer.status !== 503) throw new Error(`${path}: ${answer.status} ${answer.body}`);
      counts.refused += 1;
    }
  }

  /** Buys a plan, polls until the outcome is known, and requires this outcome. */
  async function order(
    plan: string,
    [gateway, nonce]: readonly [GatewayName, string | null],
    token: string,
    wanted: string,
  ): Promise<void> {
    const body = { gateway, payment_method_nonce: nonce };
    const path = `/users/me/subscriptions/polling/${plan}`;
    const { polling_result_id: id } = (await call<StartedPurchase>(path, body, token)).data;
    const end = Date.now() + pollTimeout.timeout;
    for (;;) {
      const { data, errors } = await call<Polled>(`/polling/get-result/${id}`);
      const known = errors?.code ?? data?.result_data?.status;
      if (known === wanted) return;
      if (known || Date.now() > end) throw new Error(`${plan} is ${known}, not ${wanted}`);
      await new Promise((resolve) => setTimeout(resolve, pollPause));
    }
  }

  /** Opens the landing, is counted, looks up a number, and signs up. */
  async function signUp(): Promise<{ account: string; token: string }> {
    await open('/');
    const event = { id: crypto.randomUUID(), name: 'session_start', properties: {} };
    await call('/events', { events: [event] });
    await call('/phone-number-info', { phone: '+14155550132' });
    // A browser keeps its key, so a sign-up whose response was lost may be sent again.
    const key = newVisitorKey();
    const user_uuid = visitorIdOf(key);
    const cookie = `visitorKey=${key}; userUuid=${user_uuid}`;
    const email = `${crypto.randomUUID()}@example.com`;
    const who = { email, user_uuid, landing_type: 'split_fullPrice' };
    const { data } = await call<SignedUp>('/signup', who, undefined, cookie);
    return { account: data.entity.external_user_id, token: data.access_token };
  }

  /** Buys: every second one at Braintree, and every second one after a declined card. */
  async function pay(number: number, token: string): Promise<void> {
    const gateway = number % 2 === 0 ? 'stripe' : 'braintree';
    const plan = 'monthly_usd';
    await open('/checkout_v3_tr');
    if (number % 4 < 2) {
      await order(plan, [gateway, declining[gateway]], token, 'card_declined');
      counts.declined += 1;
    }
    await order(plan, [gateway, approved[gateway]], token, 'active');
    await order('upsell_monthly_999_usd', [gateway, null], token, 'active');
    await open('/success');
    await call('/users/me/purchases', undefined, token);
  }

  return { counts, signUp, pay };
}
