import { beforeEach, expect, it, vi } from 'vitest';
import * as store from '../../../islands/invitations/requester-store.ts';
import { $checkout } from '../../../islands/stores/checkout.ts';
import { $signup } from '../../../islands/stores/signup.ts';
import { pollTimeout } from '../../poll-timeout.ts';

const { $invitations } = store;
const draft = { phone: '+1 212 555 0100', country: 'US', name: 'Anna', duration: 'hour' };
const sent = { id: 'a', state: 'sent', via: 'sms', number_end: '00', position: null };
const no = { ...sent, state: 'not_shared' };
const place = { latitude: 52.52, longitude: 13.405, accuracy: 100, at: 1 };
const drawing = { land: '', towns: [] };

/** Records requested paths, in order; `answers` by path, a text for a refusal. */
function api(responses: Record<string, unknown>): string[] {
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body = '' } = {}) => {
    if (!address.startsWith('/api')) return Response.json(drawing);
    const path = address.replace('/api/v1/users/me/', '');
    requests.push(`${method} ${path} ${body}`.trim());
    const answer = responses[path];
    if (typeof answer !== 'string') return Response.json(answer ?? {});
    return Response.json({ errors: { code: answer, messages: ['no'] } }, { status: 400 });
  });
  return requests;
}

beforeEach(() => {
  vi.stubGlobal('location', { hash: '' });
  $signup.set({ ...$signup.get(), token: 'a token' });
  $checkout.setKey('isSuccess', true);
  $invitations.set({
    stage: 'waiting',
    invitations: [],
    drawings: {},
    refundUntil: 0,
    everAccepted: false,
    emailVerified: false,
  });
});
it('requester: loading and previewing send nothing; a number that cannot be read has no preview', async () => {
  const preview = { messages: {}, language: 'en', stop: 'STOP', sends_at: null, by_sms: true };
  const number = { phone: draft.phone, country: 'US' };
  const requests = api({ invitations: { data: [] }, 'invitations/sms-preview': { data: preview } });
  await store.loadInvitations();
  expect(await store.previewFor(number)).toEqual(preview);
  const body = JSON.stringify(number);
  expect(requests).toEqual(['GET invitations', `POST invitations/sms-preview ${body}`]);
  api({ 'invitations/sms-preview': 'phone_incorrect' });
  expect(await store.previewFor(number)).toBeNull();
});

it('requester: Send is one call, then the state is shown', async () => {
  const requests = api({ invitations: { data: [sent] } });
  await store.postInvitation(draft);
  const body = JSON.stringify({ ...draft, via: 'sms' });
  expect(requests).toEqual([`POST invitations ${body}`, 'GET invitations']);
  expect($invitations.get()).toMatchObject({ stage: 'open', invitations: [sent] });
});

it('requester: makes a message for the own phone', async () => {
  const message = { link: 'https://x.test/i#code', sms: 'sms:+1?&body=Hi' };
  api({ invitations: { data: sent, ...message } });
  expect(await store.ownMessageFor(draft, false)).toEqual({ ...message, id: 'a' });
});

it('requester: a location is set together with its map', async () => {
  api({ invitations: { data: [{ ...sent, state: 'accepted', position: place }] } });
  await store.loadInvitations();
  expect($invitations.get().drawings).toEqual({ a: drawing });
});

it('requester: offers the refund when no invitee accepted and none can any longer', async () => {
  api({ invitations: { data: [no] }, guarantee: { data: { until: 9, agreed: false } } });
  await store.loadInvitations();
  expect($invitations.get().refundUntil).toBe(9);
  const requests = api({ invitations: { data: [no, { ...sent, id: 'b' }] } });
  await store.loadInvitations();
  expect([$invitations.get().refundUntil, requests]).toEqual([0, ['GET invitations']]);
});

it.each([true, false])(
  'requester: after an acceptance (%s) no refund is mentioned',
  async (agreed) => {
    api({ invitations: { data: [no] }, guarantee: { data: { until: 0, agreed } } });
    await store.loadInvitations();
    expect(store.noInviteeAccepted($invitations.get())).toBe(!agreed);
  },
);

it('requester: claims the refund with one call', async () => {
  const requests = api({ invitations: { data: [] }, guarantee: { data: { subscriptions: [] } } });
  await store.withdrawInvitation();
  expect(requests).toEqual(['POST guarantee {}', 'GET invitations']);
});

it('requester: ends an invitation by its id', async () => {
  const requests = api({ invitations: { data: [no] }, guarantee: 'unexpected' });
  await store.endInvitation('a');
  expect(requests[0]).toBe('DELETE invitations/a');
});

it.each([
  ['unauthorized', 'hidden'],
  ['unexpected', 'failed'],
])('requester: a list refused as %s is %s', async (code, stage) => {
  api({ invitations: code });
  await store.loadInvitations();
  expect($invitations.get().stage).toBe(stage);
});

it('requester: is hidden when signed out or without a purchase', async () => {
  const requests = api({ invitations: { data: [] } });
  await store.loadInvitations('');
  expect([$invitations.get().stage, requests]).toEqual(['hidden', []]);
  $checkout.setKey('isSuccess', null);
  await store.loadInvitations();
  expect($invitations.get().stage).toBe('hidden');
});

it('requester: reloads after a refund elsewhere on the page', async () => {
  vi.stubGlobal('document', new EventTarget());
  const requests = api({ invitations: { data: [no] }, guarantee: { data: { until: 0 } } });
  const end = store.watchInvitations();
  $checkout.setKey('isSuccess', null);
  await vi.waitFor(() => expect(firstState()).toBe('not_shared'), pollTimeout);
  end();
  $checkout.setKey('isSuccess', true);
  expect(requests).toEqual(['GET invitations', 'GET guarantee']);
});

const firstState = () => $invitations.get().invitations[0]?.state;

it('requester: sends nothing while the link in the URL is opened, because it may end the session', async () => {
  vi.stubGlobal('location', { hash: '#a-code' });
  const requests = api({ invitations: { data: [sent] } });
  await store.loadInvitations();
  expect([requests, $invitations.get().stage]).toEqual([[], 'waiting']);
});

it('requester: each list includes whether the e-mail is confirmed', async () => {
  api({ invitations: { data: [{ ...sent, state: 'kept' }], email_verified: true } });
  await store.loadInvitations();
  expect($invitations.get().emailVerified).toBe(true);
});

it.each([
  ['waiting', [], false, 'unknown'],
  ['open', [], true, 'form'],
  ['open', ['kept'], false, 'invited'],
  ['open', ['not_shared', 'sent'], false, 'invited'],
  ['open', ['accepted'], true, 'form'],
  ['open', ['not_shared'], false, 'over'],
  ['open', ['sent', 'accepted'], false, 'accepted'],
  ['open', ['accepted unconfirmed'], false, 'invited'],
  ['hidden', [], false, 'invited'],
] as const)('requester: at stage %s with %j, form shown %s, the progress is %s', (...given) => {
  const [stage, states, hasTapped, step] = given;
  // An unconfirmed mailbox is not told where the person is.
  const invitations = states.map((state) => {
    const position = state === 'accepted' ? {} : null;
    return { ...sent, state: state.split(' ')[0], position } as unknown as store.ShownInvitation;
  });
  expect(store.invitationProgress({ stage, invitations }, hasTapped)).toBe(step);
});

it('requester: while a phone is to scan the message, its QR code is the only one', () => {
  const open = { stage: 'open', invitations: [] } as const;
  expect(store.invitationProgress(open, false, true)).toBe('scan');
});
