import { env, runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { phoneHash } from '../../../../worker/invitations/invitation-index.ts';
import type { Invitee } from '../../../../worker/invitations/invitee-object.ts';
import type { InvitationId } from '../../../../worker/platform/types.ts';
import type { DeliveryStatus } from '../../../fakes/sms/server.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { request } from '../../request.ts';
import {
  captureLog,
  freshNumber,
  postInvitation,
  requester,
  stubSmsVendor,
} from './sms-fixture.ts';

const twilio = { account: 'AC_fake', token: 'twilio_fake' };
const hour = 60 * 60_000;
/** Ten in the morning in Berlin. */
const morning = Date.parse('2026-11-20T09:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: morning });
});
/** An invitation by SMS, and the states that the fake vendor reports. */
async function inviteBySms(
  statuses?: DeliveryStatus[],
  before: (sms: ReturnType<typeof stubSmsVendor>) => void = () => {},
) {
  const sms = stubSmsVendor();
  if (statuses) sms.deliveryStatuses.push(statuses);
  before(sms);
  const { headers, id: account } = await requester();
  const phone = freshNumber();
  const response = await postInvitation(headers, { phone });
  const { data } = (await response.json()) as { data: { id: string } };
  const stub = env.INVITATIONS.getByName(await phoneHash(env, phone));
  const send = () =>
    runInDurableObject(stub, async (object: Invitee, { storage }) => {
      const [entry] = [...storage.kv.list<{ id: string }>({ prefix: 'sms:' })];
      if (entry) await object.sendSms(entry[1].id);
    });
  await send();
  return {
    phone,
    sms,
    stub,
    send,
    callbacks: () => sms.callbacks(phone, twilio),
    post: ({ url, init }: { url: string; init: RequestInit }) => {
      const { pathname, search } = new URL(url);
      return request(pathname + search, init);
    },
    delivery: async () => {
      const seen = await stub.viewForRequester(data.id as InvitationId, account);
      return [seen?.state, seen?.delivery];
    },
    alarm: () => runInDurableObject(stub, (object: Invitee) => object.alarm()),
  };
}

test('SMS status: callbacks in any order, and repeated, show as delivered', async () => {
  const { callbacks, post, delivery } = await inviteBySms();
  expect(await delivery()).toEqual(['sent', null]);
  const callbackBodies = callbacks();
  expect(callbackBodies).toHaveLength(2);
  for (const one of [...callbackBodies.toReversed(), ...callbackBodies])
    expect((await post(one)).status).toBe(204);
  expect(await delivery()).toEqual(['sent', 'delivered']);
});

test('SMS status: an undeliverable number shows at once', async () => {
  const { callbacks, post, delivery } = await inviteBySms([
    { status: 'sent' },
    { status: 'undelivered', code: 30006 },
  ]);
  for (const one of callbacks()) await post(one);
  expect(await delivery()).toEqual(['sent', 'undeliverable']);
  const refused = await inviteBySms(undefined, (sms) =>
    sms.nextFaults.push({ status: 400, code: 21614 }),
  );
  expect(await refused.delivery()).toEqual(['sent', 'undeliverable']);
});

test.each<[string, DeliveryStatus[], { status: number; code: number }?]>([
  ['opt-out at the vendor, on submission', [], { status: 400, code: 21610 }],
  ['a block', [{ status: 'sent' }, { status: 'undelivered', code: 30004 }]],
  ['no callback', []],
])('SMS status: %s looks like no callback', async (_what, statuses, nextFaults) => {
  const { callbacks, post, delivery } = await inviteBySms(statuses, (sms) => {
    if (nextFaults) sms.nextFaults.push(nextFaults);
  });
  for (const one of callbacks()) await post(one);
  expect(await delivery()).toEqual(['sent', null]);
  vi.setSystemTime(morning + hour);
  expect(await delivery()).toEqual(['sent', 'unknown']);
});

test('SMS status: a late opt-out at the vendor counts as an opt-out', async () => {
  const { phone, callbacks, post } = await inviteBySms([{ status: 'failed', code: 21610 }]);
  for (const one of callbacks()) await post(one);
  expect((await postInvitation((await requester()).headers, { phone })).status).toBe(409);
});

test('SMS status: a refusal before the callback does not hide the delivery', async () => {
  const { stub, callbacks, post, delivery } = await inviteBySms();
  await stub.optOut();
  for (const one of callbacks()) await post(one);
  expect(await delivery()).toEqual(['sent', 'delivered']);
});

test('SMS status: without a callback the SMS is looked up once, after an hour', async () => {
  const { sms, phone, callbacks, delivery, alarm } = await inviteBySms();
  callbacks();
  const lookUps = () => sms.urls.filter((url) => url.includes('/Messages/')).length;
  await alarm();
  expect([lookUps(), await delivery()]).toEqual([0, ['sent', null]]);
  vi.setSystemTime(morning + hour);
  await alarm();
  await alarm();
  expect([lookUps(), await delivery()]).toEqual([1, ['sent', 'delivered']]);
  expect(sms.urls.join()).not.toContain(phone.slice(1));
});

test('SMS status: a callback proves that an ambiguous SMS was accepted', async () => {
  const { sms, phone, callbacks, post, delivery, send } = await inviteBySms(undefined, (fake) =>
    fake.nextFaults.push('lost'),
  );
  expect(await delivery()).toEqual(['sending', null]);
  for (const one of callbacks()) await post(one);
  expect(await delivery()).toEqual(['sent', 'delivered']);
  await send();
  expect(sms.inbox(phone)).toHaveLength(1);
});

test('SMS status: a callback that Twilio did not sign for this URL is refused', async () => {
  const { callbacks, post, delivery } = await inviteBySms();
  const [, one] = callbacks();
  if (!one) throw new Error('no callback');
  const { url, init } = one;
  expect((await post({ url: `${url}&x=1`, init })).status).toBe(400);
  expect((await post({ url, init: { ...init, headers: {} } })).status).toBe(400);
  const body = new URLSearchParams(String(init.body));
  body.set('MessageStatus', 'failed');
  expect((await post({ url, init: { ...init, body } })).status).toBe(400);
  expect(await delivery()).toEqual(['sent', null]);
});

test('SMS status: the log has the error code and not the number', async () => {
  const { phone, callbacks, post } = await inviteBySms([{ status: 'undelivered', code: 30007 }]);
  const lines = captureLog();
  for (const one of callbacks()) await post(one);
  await vi.waitFor(() => expect(lines().join()).toContain('"code":"30007"'), pollTimeout);
  expect(lines().join()).not.toContain(phone.slice(1));
});
