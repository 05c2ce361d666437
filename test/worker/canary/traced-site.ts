import { createMessageBatch, env, runInDurableObject } from 'cloudflare:test';
import { vi } from 'vitest';
import worker from '../../../worker/index.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { clientId, googleKey } from '../accounts/google-keys.ts';
import { networkVars } from '../analytics/conversion-fixture.ts';
import { mailVars } from '../email/email-fixture.ts';
import { captureLog } from '../invitations/sms/sms-fixture.ts';
import { request } from '../request.ts';
import { objectFields, storedFields } from './storage.ts';
import { answerFields, bodyOf, fieldsOf, requestFields, type Trace } from './trace.ts';
import { openVendors } from './vendors.ts';

const adminToken = 'the-operators-token-long-enough';

const vars = {
  ...networkVars,
  ...mailVars,
  GOOGLE_CLIENT_ID: clientId,
  GOOGLE_GEOCODER_KEY: 'geocoder_fake',
  ADMIN_TOKEN: adminToken,
  CONFIG_CACHE_SECONDS: '0',
  ANALYTICS_PROVIDERS: '[{"name":"amplitude","url":"https://api.amplitude.com/","key":"fake"}]',
};

/** Bindings of the queues, and the queues that wrangler.toml gives them. */
const queueNames: Record<string, string> = {
  EXPOSURE_QUEUE: 'funnel-exposures',
  EVENT_QUEUE: 'funnel-events',
  CONVERSION_QUEUE: 'funnel-conversions',
  EMAIL_QUEUE: 'funnel-email',
  SMS_QUEUE: 'funnel-sms',
  WEBHOOK_QUEUE: 'funnel-webhooks',
  ENTITLEMENT_QUEUE: 'funnel-entitlements',
};
const queues = Object.keys(queueNames);
const nameOf = (binding: string) => queueNames[binding] ?? '';

const tick = () => new Promise((resolve) => setTimeout(resolve, 20));

/** The Worker with all vendors; records everything that it sends and stores. */
export async function openTracedSite() {
  const { jwk, sign } = await googleKey();
  const vendors = openVendors(env.STRIPE_PRODUCT ?? '', env.STRIPE_WEBHOOK_SECRET ?? '', jwk);
  const traces: Trace[] = [];
  const lines = captureLog();
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    const request = new Request(input, init);
    traces.push(...requestFields(request, await bodyOf(request)));
    return vendors.fetch(request);
  });

  let waiting: { queue: string; body: unknown }[] = [];
  const take = (binding: string, body: unknown) => {
    traces.push(...fieldsOf(`queue ${binding}`, body));
    waiting.push({ queue: nameOf(binding), body: structuredClone(body) });
  };
  const boxOf = (binding: string) => ({
    send: async (body: unknown) => take(binding, body),
    sendBatch: async (messages: Iterable<{ body: unknown }>) => {
      for (const { body } of messages) take(binding, body);
    },
  });
  const boxes = Object.fromEntries(queues.map((binding) => [binding, boxOf(binding)]));
  // All visitors share one IP address, so rate limits must not apply.
  const free = {
    POST_RATE_LIMIT: undefined,
    SIGNUP_RATE_LIMIT: undefined,
    READ_RATE_LIMIT: undefined,
    EVENT_RATE_LIMIT: undefined,
    VISITOR_EVENT_RATE_LIMIT: undefined,
  };
  const more = { ...vars, ...free, ...boxes } as Partial<Env>;
  const whole = { ...env, ...more } as Env;

  const consume = async (queue: string, bodies: unknown[]) => {
    const messages = bodies.map((body, at) => ({
      id: `${queue}-${at}-${crypto.randomUUID()}`,
      timestamp: new Date(),
      attempts: 1,
      body,
    }));
    await worker.queue(createMessageBatch(queue, messages) as never, whole);
  };

  /** Consumes all messages, and stores each as a dead letter as well, as if its consumer had failed. */
  async function deliver(): Promise<void> {
    while (waiting.length > 0) {
      const now = waiting;
      waiting = [];
      for (const [queue, messages] of Map.groupBy(now, (one) => one.queue)) {
        const bodies = messages.map(({ body }) => body);
        await consume(queue, bodies);
        await consume(`${queue}-dead`, bodies);
      }
    }
  }

  const objects: [kind: string, stub: Parameters<typeof runInDurableObject>[0]][] = [
    ['cards', env.CARD_LIMITER.getByName('all')],
    ...['all', ...Array(16).keys()].map((name): (typeof objects)[number] => [
      'limits',
      env.SMS_LIMITER.getByName(`${name}`),
    ]),
  ];
  /** Makes an object use our queues, and reads its storage at the end. */
  async function adopt(
    kind: 'purchases' | 'invitations',
    stub: Parameters<typeof runInDurableObject>[0],
  ): Promise<void> {
    objects.push([kind, stub]);
    await runInDurableObject(stub, (object: object) => {
      Object.defineProperty(object, 'env', { value: whole, configurable: true });
    });
  }

  /** The current contents of D1, KV and all objects. */
  const storedTraces = async (): Promise<Trace[]> => {
    const all = await Promise.all(objects.map(([kind, stub]) => objectFields(kind, stub)));
    return [...(await storedFields()), ...all.flat()];
  };

  /** Sends a request, and records the parts of the response that were not requested. */
  async function send(path: string, init: RequestInit = {}, own: Partial<Env> = {}) {
    const response = await request(path, init, { ...more, ...own });
    traces.push(...(await answerFields(response)));
    return response;
  }

  /** Delivers the payment providers' pending webhooks. */
  async function deliverWebhooks(): Promise<void> {
    for (const { path, ...init } of await vendors.posts())
      await send(path, { method: 'POST', ...init });
  }

  /** Waits until a look-up succeeds. */
  async function until<T>(read: () => Promise<T | undefined | false>): Promise<T> {
    for (;;) {
      const found = await read();
      if (found) return found;
      await tick();
    }
  }

  return {
    vendors,
    boxes,
    traces,
    lines: () => lines().map((line): Trace => ['log', line]),
    sign,
    adminToken,
    deliver,
    adopt,
    storedTraces,
    /** Also records the current contents of storage. */
    recordStorage: async () => void traces.push(...(await storedTraces())),
    send,
    deliverWebhooks,
    until,
  };
}

export type TracedSite = Awaited<ReturnType<typeof openTracedSite>>;
