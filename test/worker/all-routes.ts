import { env } from 'cloudflare:test';
import { adminApp } from '../../worker/admin.ts';
import { app, ownRoutes } from '../../worker/app.ts';
import { screenIds } from '../../worker/experiments/rules/flows.ts';

/** One screen of each kind; the full run requests all of them. */
const kinds = ['one_pager', 'searching', 'signup', 'checkout_v3_tr', 'upsell_an_private'];

/** Example values for route parameters; others are `x`. */
const examples: Record<string, string[]> = {
  screen: env.FULL ? [...screenIds] : kinds,
  gateway: ['stripe', 'braintree'],
  plan: ['monthly_usd'],
  key: ['0c5f7f0e-52d6-4f0b-8a36-3f7c2e9d1a10'],
  account: ['0c5f7f0e-52d6-4f0b-8a36-3f7c2e9d1a10'],
  attempt: ['0c5f7f0e-52d6-4f0b-8a36-3f7c2e9d1a10'],
  change: ['0c5f7f0e-52d6-4f0b-8a36-3f7c2e9d1a10'],
  id: ['0c5f7f0e-52d6-4f0b-8a36-3f7c2e9d1a10'],
};

/** A route of the server that changes something, with a matching path. */
export interface Route {
  method: string;
  /** The route as the server defines it: `/webhooks/:gateway`. */
  route: string;
  path: string;
}

function pathsOf(route: string): string[] {
  const [, before, name, after] = /^(.*?):(\w+)(?:\{.*?\}(?=\/|$))?(.*)$/.exec(route) ?? [];
  if (name === undefined) return [route];
  return (examples[name] ?? ['x']).flatMap((example) => pathsOf(`${before}${example}${after}`));
}

/** Middleware is not a route; a route for every method gets a POST. */
const routes = [...app.routes, ...adminApp(ownRoutes).routes]
  .filter(({ method, path }) => method !== 'ALL' || !path.endsWith('*'))
  .map(({ method, path }) => ({ method: method === 'ALL' ? 'POST' : method, route: path }));

const all = new Map(
  routes
    .filter(({ method }) => method !== 'GET')
    .map(({ method, route }) => [`${method} ${route}`, { method, route }]),
);

/** Every route with more than reads, taken from the server itself. */
export const changing: readonly Route[] = [...all.values()].flatMap(({ method, route }) =>
  pathsOf(route).map((path) => ({ method, route, path })),
);

/** Every call of the API. */
export const everyCall: readonly Route[] = routes
  .filter(({ route }) => route.startsWith('/api/v1/'))
  .flatMap(({ method, route }) =>
    pathsOf(route)
      .slice(0, 1)
      .map((path) => ({ method, route, path })),
  );

/** Every call about the caller's account. */
export const authenticated: readonly Route[] = everyCall.filter(({ route }) =>
  route.startsWith('/api/v1/users/me'),
);

/** A path for each route. */
export const paths: readonly string[] = [
  ...new Set(routes.flatMap(({ route }) => pathsOf(route).slice(0, 1))),
];

/** Routes without a body, which ignore one. */
const bodiless =
  /^\/admin\/publications\/due$|^\/api\/v1\/users\/me(\/(delete|guarantee|deeplink|deeplink\/email|other-browser-link|mailbox-code|subscriptions\/:attempt\S*|invitations\/:id\S*|sign-out))?$/;

export const takesBody = ({ route }: Route): boolean => !bodiless.test(route);

/** Forms that a browser posts without scripts. */
export const isForm = ({ route }: Route): boolean => route === '/:screen' || route === '/language';
