import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { bankPage } from './bank/control-page.ts';
import { braintreeHosts } from './braintree/hosts.ts';
import { type BraintreeFake, createBraintree } from './braintree/server.ts';
import { type BraintreeState, emptyBraintree } from './braintree/state.ts';
import { deliveries, type Endpoint } from './deliveries.ts';
import { googleMaps } from './google/maps.ts';
import { createGoogle } from './google/server.ts';
import { createMail, type MailFake, type MailState } from './mail/server.ts';
import { type AnalyticsFake, createAnalytics } from './networks/conversions.ts';
import { createNetworks, type NetworksFake, networkHosts } from './networks/server.ts';
import { createProduct, type ProductFake } from './product/server.ts';
import { createSms, type SmsFake, type SmsState } from './sms/server.ts';
import { stripeAssets } from './stripe/assets.ts';
import { seedProduct } from './stripe/catalog.ts';
import { createStripe, type StripeFake, type StripeOptions } from './stripe/server.ts';
import { emptyState, type StripeState } from './stripe/state.ts';

interface Contents {
  /** How far the payment fakes' clock is ahead of ours, in ms. */
  clock: { ahead: number };
  braintree: BraintreeState;
  stripe: StripeState;
  mail: MailState;
  sms: SmsState;
}

function read(file: string | undefined): Partial<Contents> {
  try {
    return file ? JSON.parse(readFileSync(file, 'utf8')) : {};
  } catch {
    // No file yet, or one that a crash cut short.
    return {};
  }
}

function openMemory(file: string | undefined) {
  const saved = read(file);
  const contents: Contents = {
    clock: { ahead: 0, ...saved.clock },
    stripe: { ...emptyState(), ...saved.stripe },
    braintree: { ...emptyBraintree(), ...saved.braintree },
    mail: { mails: {}, keys: {}, ...saved.mail },
    sms: { messages: [], replies: [], ...saved.sms },
  };
  seedProduct('prod_funnel', 'Funnel', contents.stripe);
  let waiting = false;
  function write(path: string): void {
    waiting = false;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, JSON.stringify(contents));
    renameSync(`${path}.new`, path);
  }
  return {
    clock: () => contents.clock,
    stripe: () => contents.stripe,
    mail: () => contents.mail,
    sms: () => contents.sms,
    braintree: () => contents.braintree,
    save: () => {
      if (!file || waiting) return;
      waiting = true;
      setTimeout(write, 100, file).unref();
    },
  };
}

interface FakesOptions extends StripeOptions {
  file?: string;
}

/** The common shape of requests of the runtime, undici and miniflare. */
interface IncomingRequest {
  url: string;
  method: string;
  headers: Iterable<[string, string]>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

export interface Fakes {
  stripe: StripeFake;
  mail: MailFake;
  sms: SmsFake;
  analytics: AnalyticsFake;
  networks: NetworksFake;
  braintree: BraintreeFake;
  product: ProductFake;
  /** Delivers webhooks to this endpoint from now on. */
  deliverTo(endpoint: Endpoint): void;
  /** Responds to `https://<host>/…`, and to `/fakes/<host>/…` on any other host; 502 for an unknown host. */
  fetch(request: IncomingRequest): Promise<Response>;
}

type Vendor = (request: Request) => Promise<Response | null>;

/** Rewrites `/fakes/<host>/…` to the vendor's URL; `x-own-origin` then names our origin. */
async function toVendor(incoming: IncomingRequest): Promise<Request> {
  const url = new URL(incoming.url);
  const [, host, rest = '/'] = /^\/fakes\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? [];
  const address = host ? `https://${host}${rest}${url.search}` : url.href;
  const bare = incoming.method === 'GET' || incoming.method === 'HEAD';
  const body = bare ? undefined : await incoming.arrayBuffer();
  const headers = new Headers([...incoming.headers]);
  if (host) headers.set('x-own-origin', url.origin);
  return new Request(address, { method: incoming.method, headers, body });
}

/** Same as in the development variables. */
const twilioAccount = { account: 'AC_fake', token: 'twilio_fake' };
const unknownHost = ({ method, url }: Request) =>
  new Response(`test/fakes has no fake for ${method} ${url}\n`, { status: 502 });
export function createFakes({ file, ...options }: FakesOptions = {}): Fakes {
  const memory = openMemory(file);
  const clock = memory.clock();
  const now = () => (options.now ?? Date.now)() + clock.ahead;
  const webhooks = deliveries();
  const { onEvent = webhooks.onEvent, state = memory.stripe() } = options;
  const stripe = createStripe({ ...options, now, ahead: () => clock.ahead, onEvent, state });
  const mail = createMail(memory.mail());
  const sms = createSms(memory.sms());
  const analytics = createAnalytics();
  const networks = createNetworks();
  const google = createGoogle();
  const product = createProduct();
  const braintree = createBraintree({
    now,
    // The Worker refuses webhooks with a timestamp in the future.
    stamp: options.now ?? Date.now,
    onWebhook: webhooks.onWebhook,
    state: memory.braintree(),
  });
  const vendors: Record<string, Vendor> = {
    ...braintreeHosts(braintree),
    bank: bankPage({ stripe, braintree, clock }),
    sms: sms.fetch,
    'api.twilio.com': sms.fetch,
    'accounts.google.com': google,
    'www.googleapis.com': google,
    'api.stripe.com': stripe.fetch,
    'js.stripe.com': stripeAssets,
    'api.resend.com': mail.fetch,
    'api.amplitude.com': analytics.fetch,
    'maps.googleapis.com': googleMaps,
    'product.test': product.fetch,
    ...Object.fromEntries(networkHosts.map((host) => [host, networks.fetch])),
  };
  return {
    stripe,
    mail,
    sms,
    analytics,
    networks,
    braintree,
    product,
    deliverTo(endpoint) {
      webhooks.to(endpoint);
      sms.connect({ origin: endpoint.origin, ...twilioAccount });
    },
    fetch: async (incoming) => {
      const request = await toVendor(incoming);
      const response = await vendors[new URL(request.url).hostname]?.(request);
      if (request.method !== 'GET') memory.save();
      return response ?? unknownHost(request);
    },
  };
}
