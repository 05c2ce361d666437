import { type AnalyticsFake, createAnalytics } from './analytics/server.ts';
import { bankCounter } from './bank/server.ts';
import { braintreeHosts } from './braintree/hosts.ts';
import { type BraintreeFake, createBraintree } from './braintree/server.ts';
import { deliveries, type Endpoint } from './deliveries.ts';
import { open } from './file.ts';
import { geocoder } from './geocoder.ts';
import { createGoogle } from './google/server.ts';
import { createMail, type MailFake } from './mail/server.ts';
import { createNetworks, type NetworksFake, networkHosts } from './networks/server.ts';
import { createSms, type SmsFake } from './sms/server.ts';
import { stripeAssets } from './stripe/pages.ts';
import { createStripe, type StripeFake, type StripeOptions } from './stripe/server.ts';

export interface FakesOptions extends StripeOptions {
  /** Where the fakes' memory is kept between runs, JSON; in memory only when left out. */
  file?: string;
}

/** What a request must offer: the runtime's, undici's and miniflare's all do. */
interface Asked {
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
  /** Has the providers' webhooks delivered to a funnel from now on. */
  deliverTo(endpoint: Endpoint): void;
  /**
   * The whole outside world: `https://<host>/…`, or `/fakes/<host>/…` on any other host. An address
   * that no vendor here answers gets 502 and a sentence.
   */
  fetch(request: Asked): Promise<Response>;
}

type Vendor = (request: Request) => Promise<Response | null>;

/** A request to `/fakes/<host>/…` as the vendor would get it, marked as one to our own origin. */
async function toVendor(asked: Asked): Promise<Request> {
  const url = new URL(asked.url);
  const [, host, rest = '/'] = /^\/fakes\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? [];
  const address = host ? `https://${host}${rest}${url.search}` : url.href;
  const bare = asked.method === 'GET' || asked.method === 'HEAD';
  const body = bare ? undefined : await asked.arrayBuffer();
  const headers = new Headers([...asked.headers]);
  if (host) headers.set('x-own-origin', url.origin);
  return new Request(address, { method: asked.method, headers, body });
}

/** As the development variables have it. */
const twilioAccount = { account: 'AC_fake', token: 'twilio_fake' };

const nobody = ({ method, url }: Request) =>
  new Response(`test/fakes has no stand-in for ${method} ${url}\n`, { status: 502 });

/** The outside world of the funnel: every vendor that has a stand-in here, and nobody else. */
export function createFakes({ file, ...options }: FakesOptions = {}): Fakes {
  const memory = open(file);
  const clock = memory.clock();
  const now = () => (options.now ?? Date.now)() + clock.ahead;
  const carrier = deliveries();
  const { onEvent = carrier.onEvent, state = memory.stripe() } = options;
  const stripe = createStripe({ ...options, now, onEvent, state });
  const mail = createMail(memory.mail());
  const sms = createSms(memory.sms());
  const analytics = createAnalytics();
  const networks = createNetworks();
  const google = createGoogle();
  const braintree = createBraintree({
    now,
    // The funnel takes no message that was signed in the future.
    stamp: options.now ?? Date.now,
    onWebhook: carrier.onWebhook,
    state: memory.braintree(),
  });
  const vendors: Record<string, Vendor> = {
    ...braintreeHosts(braintree),
    // No vendor's: where a person plays both providers.
    bank: bankCounter({ stripe, braintree, clock }),
    // Where a person reads the texts, and answers them.
    sms: sms.fetch,
    'api.twilio.com': sms.fetch,
    'accounts.google.com': google,
    'www.googleapis.com': google,
    'api.stripe.com': stripe.fetch,
    'js.stripe.com': stripeAssets,
    'api.resend.com': mail.fetch,
    'api.amplitude.com': analytics.fetch,
    'maps.googleapis.com': geocoder,
    ...Object.fromEntries(networkHosts.map((host) => [host, networks.fetch])),
  };
  return {
    stripe,
    mail,
    sms,
    analytics,
    networks,
    braintree,
    deliverTo(endpoint) {
      carrier.to(endpoint);
      sms.tell({ origin: endpoint.origin, ...twilioAccount });
    },
    fetch: async (asked) => {
      const request = await toVendor(asked);
      const answer = await vendors[new URL(request.url).hostname]?.(request);
      if (request.method !== 'GET') memory.save();
      return answer ?? nobody(request);
    },
  };
}
