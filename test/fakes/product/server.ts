import { randomUUID } from 'node:crypto';
import { matchRoute } from '../match-route.ts';

interface User {
  id: number;
  email: string;
  token: string;
  /** Plan ids by subscription id. */
  subscriptions: Record<string, string>;
}

interface Poll {
  user: User;
  subscription: string;
  /** A first question finds no result yet. */
  asked: boolean;
}

/** An outside product: the calls of the specification, with users, opaque tokens and plans in memory. */
export interface ProductFake {
  users: User[];
  /** The calls, such as `POST /signup`, oldest first. */
  calls: string[];
  /** While true every call gets 503 without JSON. */
  isDown: boolean;
  fetch(request: Request): Promise<Response>;
}

const base = '/api/v3';

const refused = (status: number, message: string) =>
  Response.json({ errors: { messages: [message] } }, { status });

/** The claims of a Google credential; the fake does not check its signature. */
const emailIn = (credential: unknown): string =>
  JSON.parse(Buffer.from(String(credential).split('.')[1] ?? '', 'base64url').toString()).email;

const settings = {
  stripe_publishable_key: 'pk_test_product',
  stripe_account_name: 'The product',
  braintree_client_token: null,
  payment_gateway: 'stripe',
  request_three_d_secure: 0,
};

const qrCode = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';

export function createProduct(): ProductFake {
  const users: User[] = [];
  const calls: string[] = [];
  const polls = new Map<string, Poll>();

  function signUp(email: string): Response {
    if (users.some((user) => user.email === email))
      return refused(422, 'The email has already been taken.');
    const token = `product.${randomUUID()}`;
    const user = { id: 1000 + users.length, email, token, subscriptions: {} };
    users.push(user);
    const entity = { external_user_id: user.id };
    return Response.json({ data: { access_token: token, deeplink_token: 'link', entity } });
  }

  /** @returns the subscription's id; null for a card that is declined */
  function subscribe(
    user: User,
    plan: string,
    { payment_method_nonce: nonce }: Record<string, unknown>,
  ) {
    if (!String(nonce).startsWith('pm_')) return null;
    const [known] = Object.entries(user.subscriptions).find(([, one]) => one === plan) ?? [];
    const subscription = known ?? `product_sub_${randomUUID()}`;
    user.subscriptions[subscription] = plan;
    return subscription;
  }

  const resultOf = (subscription: string) => ({
    status: 'active',
    data: null,
    subscription_id: subscription,
    event_id: `event_${subscription}`,
    price_with_discount: '39.99',
  });

  type Handler = (id: string, body: Record<string, unknown>, user: User | undefined) => Response;
  const withUser =
    (handle: (user: User, id: string, body: Record<string, unknown>) => Response): Handler =>
    (id, body, user) =>
      user ? handle(user, id, body) : refused(401, 'Unauthenticated.');

  const routes: Record<string, Handler> = {
    'POST /signup': (_id, { email }) => signUp(String(email)),
    'POST /authorize_social_via_access_token': (_id, body) => signUp(emailIn(body.access_token)),
    'GET /users/me/payments-settings': withUser(() => Response.json(settings)),
    'GET /users/me/deeplink-qr-code': withUser(({ id }) =>
      Response.json({
        data: { short_deeplink: `https://product.test/open/${id}`, qr_code: qrCode },
      }),
    ),
    'GET /cf-country': () => Response.json({ country_code: 'US' }),
    'GET /phone-number-info/:id': (number) =>
      Response.json({
        data: { number, country: 'US', country_name: 'United States', carrier: 'Verizon' },
      }),
    'POST /users/me/subscriptions/polling/:id': withUser((user, plan, body) => {
      const subscription = subscribe(user, plan, body);
      if (!subscription) return refused(402, 'The card was declined.');
      const id = `poll_${randomUUID()}`;
      polls.set(id, { user, subscription, asked: false });
      return Response.json({ data: { polling_result_id: id } });
    }),
    'POST /users/me/subscriptions/:id': withUser((user, plan, body) => {
      const subscription = subscribe(user, plan, body);
      return subscription
        ? Response.json({ data: { ...resultOf(subscription), customer_id: `customer_${user.id}` } })
        : refused(402, 'The card was declined.');
    }),
    'GET /polling/get-result/:id': (id) => {
      const found = polls.get(id);
      if (!found) return refused(404, 'No such poll.');
      if (!found.asked) {
        found.asked = true;
        return Response.json({ data: { result_data: null } }, { status: 202 });
      }
      return Response.json({ data: { result_data: resultOf(found.subscription) } });
    },
  };

  const fake: ProductFake = {
    users,
    calls,
    isDown: false,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const path = pathname.startsWith(base) ? pathname.slice(base.length) : '';
      const route = matchRoute(Object.keys(routes), request.method, path);
      calls.push(`${request.method} ${path}`);
      if (fake.isDown) return new Response('Service unavailable', { status: 503 });
      if (!route) return refused(404, `Not found: ${request.method} ${path}`);
      const token = request.headers.get('authorization')?.replace(/^Bearer /, '');
      const user = users.find((one) => one.token === token);
      const body = request.method === 'POST' ? await request.json() : {};
      return (routes[route.name] as Handler)(route.id, body as Record<string, unknown>, user);
    },
  };
  return fake;
}
