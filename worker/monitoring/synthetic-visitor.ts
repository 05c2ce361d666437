import type { SignedUp } from '../accounts/signup-api.ts';
import { marketOf } from '../catalog/rules/markets.ts';
import { liveCatalog } from '../experiments/live-catalog.ts';
import { type Flow, isCheckout, isScreenId } from '../experiments/rules/flows.ts';
import { gatewayOf, gateways } from '../payments/gateways/index.ts';
import type { GatewayName } from '../payments/purchase/state.ts';
import { asSynthetic, type Env } from '../platform/env.ts';
import { hmacOf, signingSecret } from '../platform/hmac.ts';
import { fieldsIn, jsonOf, textIn } from '../platform/read-json.ts';
import { type PaymentId, paymentIdOf } from '../platform/types.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import { visitorKeyCookie } from '../visitor/visitor-key.ts';

/** The Worker's own routes, in this version, in this isolate. */
export type OwnRoutes = (
  request: Request,
  env: Env,
  context: unknown,
) => Response | Promise<Response>;

/** The routes with the context of the invocation that makes the walk. */
export interface Funnel {
  routes: OwnRoutes;
  env: Env;
  context: unknown;
}

export interface Walk {
  market: 'us' | 'euro' | 'europe' | 'consent' | 'other';
  country: string;
  gateway: GatewayName;
  flow: Flow;
}

export const countries = {
  us: 'US',
  euro: 'DE',
  europe: 'GB',
  consent: 'BR',
  other: 'AU',
} as const;
const stepTimeoutMs = 20_000;

/** One read that changes nothing, to check that the provider responds and accepts our key. @throws when it does not */
export async function askProvider(name: GatewayName, env: Env): Promise<void> {
  const gateway = await gatewayOf(name, env);
  await gateway.fingerprint('pm_synthetic');
}

export class StepFailed extends Error {}

const fail = (reason: string): never => {
  throw new StepFailed(reason);
};

/** The same browser each time, so that without a purchase the same account signs up again. */
const keyOf = ({ market, gateway }: Walk, env: Env) =>
  hmacOf(signingSecret(env), 'visitor', `synthetic ${market} ${gateway}`);

/** `.invalid` is reserved (RFC 2606): nothing can be delivered to it. */
const mailboxOf = ({ market, gateway }: Walk, suffix = '') =>
  `${market}-${gateway}${suffix}@synthetic.invalid`;

/** One visit through the Worker's own routes. */
export class Visit {
  readonly #walk: Walk;
  readonly #funnel: Funnel;
  readonly #env: Env;
  #token = '';
  #account = '';

  constructor(walk: Walk, funnel: Funnel) {
    this.#walk = walk;
    this.#funnel = funnel;
    this.#env = asSynthetic(funnel.env);
  }

  async #request(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<Response> {
    const { country } = this.#walk;
    const key = await keyOf(this.#walk, this.#env);
    const headers = {
      'accept-language': 'en',
      'user-agent': 'funnel-synthetic-visitor',
      'cf-ipcountry': country,
      cookie: `${visitorKeyCookie}=${key}; __Host-${visitorKeyCookie}=${key}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(this.#token ? { authorization: `Bearer ${this.#token}` } : {}),
    };
    const site = this.#env.SITE_URL || 'https://funnel.invalid';
    const init = { method, headers, body: body && JSON.stringify(body), cf: { country } };
    const request = new Request(`${new URL(site).origin}${path}`, init);
    const { routes, context } = this.#funnel;
    const response = routes(request, this.#env, context);
    return withTimeout(Promise.resolve(response), stepTimeoutMs, () => new StepFailed('no answer'));
  }

  async #json<T>(path: string, body?: object, method?: string): Promise<T> {
    const response = await this.#request(path, body, method);
    const answer = await jsonOf(response);
    const code = textIn(fieldsIn(answer).errors, 'code');
    if (response.status !== 200 || !answer || code) fail(code ?? `status ${response.status}`);
    return answer as T;
  }

  /** Requires a complete page of that screen, with a way to continue. */
  async page(path: string, screen: string): Promise<void> {
    const response = await this.#request(path);
    const html = await response.text();
    if (response.status !== 200) fail(`status ${response.status}`);
    if (!html.includes(`data-screen="${screen}"`)) fail('another screen');
    if (!html.includes('</html>')) fail('cut short');
    if (isScreenId(screen) && isCheckout(screen) && !html.includes('data-kind="payment"'))
      fail('no payment form');
  }

  async signUp(): Promise<void> {
    const sent = { user_uuid: crypto.randomUUID(), landing_type: 'synthetic' };
    const signUp = (email: string) =>
      this.#json<{ data: SignedUp }>('/api/v1/signup', { ...sent, email });
    const usual = mailboxOf(this.#walk);
    const { data } = await signUp(usual).catch((error: unknown) => {
      // An earlier walk bought, and stopped before it deleted its account.
      if (!(error instanceof StepFailed) || error.message !== 'email_taken') throw error;
      return signUp(mailboxOf(this.#walk, `-${Date.now()}`));
    });
    this.#token = data.access_token;
    this.#account = data.entity.external_user_id;
  }

  async paymentForm(): Promise<void> {
    const settings = await this.#json<Record<string, unknown>>(
      '/api/v1/users/me/payments-settings',
    );
    const { browserKeyField: key } = gateways[this.#walk.gateway];
    if (!settings[key]) fail(`no ${key}`);
  }

  provider(): Promise<void> {
    return askProvider(this.#walk.gateway, this.#env);
  }

  async buy(): Promise<PaymentId> {
    const { country, gateway } = this.#walk;
    const { currency } = marketOf(country, (await liveCatalog(this.#env)).currencies);
    const plan = `monthly_${currency.toLowerCase()}`;
    const sent = { gateway, payment_method_nonce: gateways[gateway].testMethod };
    type Bought = { data: { status?: string; payment_intent_id?: string } };
    const { data } = await this.#json<Bought>(`/api/v1/users/me/subscriptions/${plan}`, sent);
    const { status, payment_intent_id: payment } = data;
    return status === 'active' && payment ? paymentIdOf(payment) : fail(`${status}`);
  }

  /** Refunds as operators do, then deletes the account, which also ends the subscription. */
  async refund(payment: PaymentId): Promise<void> {
    const purchases = this.#env.PURCHASES.getByName(this.#account);
    const result = await purchases.refund(payment, null, `synthetic:${payment}`);
    if (result.kind === 'refused') fail(result.refusal);
    await this.#json('/api/v1/users/me', undefined, 'DELETE');
  }
}
