import { env, runInDurableObject } from 'cloudflare:test';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { signedArm } from '../../../worker/experiments/assignment.ts';
import { builtInFlows } from '../../../worker/experiments/rules/flows.ts';
import { captureLog } from '../invitations/sms/sms-fixture.ts';
import { attributes } from '../open-page.ts';
import { allowed, listed, remaining } from './allowed.ts';
import {
  landAndEnterPhone,
  openAppAndReturn,
  sendEvents,
  signUp,
  signUpByGoogle,
  walk,
} from './scenario-arrive.ts';
import { adoptInvitee, inviteByLink, inviteBySms, replyBySms } from './scenario-invite.ts';
import {
  callProductApi,
  exportAndDelete,
  receiveWebhooks,
  runOperatorCommands,
} from './scenario-operate.ts';
import {
  failAtBank,
  jobsDone,
  managePurchases,
  payAtBraintree,
  payAtStripe,
} from './scenario-pay.ts';
import { sendBadRequests } from './scenario-refused.ts';
import { findings } from './search.ts';
import { type Canary, needlesOf } from './secrets.ts';
import { address, e164, known, pan } from './test-identities.ts';
import { bodyOf, fieldsOf, requestFields, type Trace } from './trace.ts';
import { openTracedSite, type TracedSite } from './traced-site.ts';
import { type Call, openVisitor } from './visitor.ts';

const learned: Canary[] = [];
const calls: Call[] = [];
let before: Trace[] = [];
let after: Trace[] = [];
let statuses: number[] = [];
let site: TracedSite;

/** An arm without new visitors, whose visitors pay at Braintree. */
const [otherArm, braintreeFlow] = ['intro/7d', 'lp11ch8b'];
let walked: { status: number; html: string }[] = [];

async function configure(): Promise<void> {
  const variants = [
    { key: 'fullPrice', weight: 100, flow: 'default' },
    { key: otherArm, weight: 0, flow: braintreeFlow },
  ];
  const coupons = { FIVE: { amount: 500, plans: ['monthly'] } };
  const offer = {
    plans: ['monthly_7d', 'monthly', 'quarterly'],
    upsell: 'upsell_monthly_799',
    guide: 'guide_1799',
  };
  const offers = { fullPrice: offer, [otherArm]: offer };
  const config = { experiment: 'canaries', variants, offers, coupons };
  await env.FUNNEL.put('config.json', JSON.stringify(config));
  await env.FUNNEL.put('flows.json', JSON.stringify({ flows: {} }));
  await site.until(async () =>
    (await (await site.send('/config.json')).text()).includes('canaries'),
  );
}

/** Everything that the product does, once. */
beforeAll(async () => {
  site = await openTracedSite();
  await configure();
  await adoptInvitee(site);
  const byForm = openVisitor(site, learned, []);
  await landAndEnterPhone(byForm, site);
  const one = openVisitor(site, learned, calls);
  await one.send('/');
  await one.post('/consent', { choice: 'yes' });
  await signUp(one, site, address);
  await sendEvents(one);
  await openAppAndReturn(one, site, address);
  await failAtBank(one, site);
  await payAtStripe(one, site);
  const person = openVisitor(site, learned, calls);
  await inviteBySms(one, person, site);
  await managePurchases(one, site);

  const other = openVisitor(site, learned, calls);
  await other.send('/');
  await other.post('/consent', { choice: 'yes' });
  other.setCookie('arm', await signedArm(env, 'canaries', otherArm));
  const pages = await walk(other, builtInFlows[braintreeFlow] ?? []);
  walked = await Promise.all(
    pages.map(async (page) => ({ status: page.status, html: await page.text() })),
  );
  await signUpByGoogle(other, site, `google.${address}`);
  await payAtBraintree(other, site);
  await inviteByLink(other, person);
  await runOperatorCommands(other, site);
  await replyBySms(site);
  await receiveWebhooks(site);
  await site.deliverWebhooks();
  await callProductApi(site);
  await site.deliver();

  const stranger = openVisitor(site, learned, []);
  await stranger.send('/');
  await signUp(stranger, site, `stranger.${address}`);
  statuses = await sendBadRequests(stranger, calls);
  await jobsDone(stranger, site);
  await site.deliver();
  before = await site.storedTraces();

  for (const visitor of [one, other, stranger, byForm]) await exportAndDelete(visitor, site);
  await site.deliver();
  after = await site.storedTraces();
});

afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const needles = () => needlesOf([...known, ...learned]);

test('canary: personal data of visitors, buyers and invitees is found only where the list allows it', async () => {
  const traces = [...site.traces, ...site.lines(), ...before];
  expect(findings(traces, needles())).toEqual(listed(allowed));
});

test('canary: a Braintree buyer walks the flow of their arm to its end', () => {
  const seen = walked.map(({ status, html }) => {
    const { 'data-screen': id, 'data-flow': flow, 'data-arm': arm } = attributes(html, 'main');
    return { status, id, flow, arm };
  });
  const flow = builtInFlows[braintreeFlow] ?? [];
  expect(flow).toContain('checkout_h3_pp_braintree');
  expect(seen).toEqual(flow.map((id) => ({ status: 200, id, flow: braintreeFlow, arm: otherArm })));
});

test('canary: hostile input breaks no page and no call', () => {
  expect(statuses.length).toBeGreaterThan(200);
  expect(statuses.filter((status) => status >= 500 || status === 429)).toEqual([]);
});

test('erasure: only the listed data remains, and the gateways delete the e-mail', async () => {
  const { stripe, braintree } = site.vendors;
  const customers = [stripe.state.customers, braintree.state.customers];
  const traces = [...after, ...fieldsOf('customers', customers)];
  expect(findings(traces, needles())).toEqual(listed(remaining));
});

test('canary: data planted in D1, KV, a queue, an object, a log or a request is found', async () => {
  const planted = JSON.stringify({ said: `by ${address}` });
  await env.DB.prepare('INSERT INTO sent_emails VALUES (?, 0)').bind(planted).run();
  await env.FUNNEL.put(`note/${e164}`, planted);
  const limits = env.SMS_LIMITER.getByName('0');
  await runInDurableObject(limits, (_object, { storage }) => void storage.kv.put(e164, planted));
  const request = new Request(`https://api.amplitude.com/?q=${encodeURIComponent(address)}`, {
    method: 'POST',
    headers: { referer: `https://funnel.test/?p=${e164}` },
    body: new URLSearchParams({ e: btoa(planted) }),
  });
  const before = site.traces.length;
  await site.boxes.EMAIL_QUEUE?.send({ template: planted });
  await site.boxes.WEBHOOK_QUEUE?.sendBatch([{ body: { [e164]: { data: [pan] } } }]);
  const logged = captureLog();
  console.info(planted);
  const traces = [
    ...(await site.storedTraces()),
    ...site.traces.slice(before),
    ...logged().map((line): Trace => ['log', line]),
    ...requestFields(request, await bodyOf(request)),
  ];
  const known = [...listed(allowed), ...listed(remaining)];
  expect(findings(traces, needles()).filter((one) => !known.includes(one))).toEqual([
    'd1 sent_emails.id: email',
    'kv key: phone',
    'kv value: email',
    `limits ${e164}: email`,
    'limits key: phone',
    'log: email',
    'queue EMAIL_QUEUE.template: email',
    `queue WEBHOOK_QUEUE key: phone`,
    `queue WEBHOOK_QUEUE.${e164}.data: card`,
    'sent api.amplitude.com body.e: email base64',
    'sent api.amplitude.com header.referer: phone',
    'sent api.amplitude.com url: email',
  ]);
});
