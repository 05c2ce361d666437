import { beforeEach, expect, it, vi } from 'vitest';
import * as invited from '../../../islands/invitations/invitee-store.ts';

const { $invitee: $invited } = invited;
const invitation = {
  state: 'pending',
  name: 'Anna',
  duration: 'hour',
  answer_by: 2,
  until: null,
  visible: false,
  shared: null,
  blocked: null,
  hidden: false,
};
const place = { latitude: 52.52, longitude: 13.405, accuracy: 100, at: 1 };
const over = { ...invitation, state: 'over', name: '' };
const drawing = { land: '', towns: [] };

type Answer = object | { refused: string; message?: string };

/** Records sent requests, `path body`, in order; each call gets the next answer. */
function api(...responses: Answer[]): string[] {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    if (!path.startsWith('/api')) return Response.json(drawing);
    sent.push(`${path.replace('/api/v1/invitations/', '')} ${init?.body}`);
    const answer = responses.shift() ?? {};
    if (!('refused' in answer)) return Response.json({ data: answer });
    const messages = 'message' in answer ? [answer.message] : [];
    return Response.json({ errors: { code: answer.refused, messages } }, { status: 410 });
  });
  return sent;
}

function stubGeolocation(coords: object | null): void {
  const getCurrentPosition = (succeed: (value: object) => void, fail: (value: object) => void) =>
    coords ? succeed({ coords }) : fail({ code: 1 });
  vi.stubGlobal('navigator', { geolocation: { getCurrentPosition } });
}

beforeEach(async () => {
  api(invitation);
  await invited.openInvitation('the-code');
});
it('invitee: sends the code in the body only and shows the invitation', async () => {
  const sent = api(invitation);
  await invited.openInvitation('the-code');
  expect(sent).toEqual(['open {"code":"the-code"}']);
  expect($invited.get()).toMatchObject({ stage: 'open', invitation, progress: '', failure: '' });
});

it('invitee: sends no request without a code', async () => {
  const sent = api();
  await invited.openInvitation('');
  expect([sent, $invited.get().stage]).toEqual([[], 'missing']);
});

it.each([
  ['invitation_unknown', 'unknown'],
  ['own_invitation', 'own'],
  ['unexpected', 'failed'],
])('invitee: after the response %s a link is %s', async (refused, stage) => {
  api({ refused });
  await invited.openInvitation('the-code');
  expect($invited.get().stage).toBe(stage);
});

it('invitee: accepting shares one location and shows it on its map', async () => {
  stubGeolocation({ latitude: 52.5200001, longitude: 13.405, accuracy: 9.5 });
  const sent = api({ ...invitation, state: 'shared', shared: place, until: 9 });
  await invited.acceptInvitation();
  expect(sent).toEqual([
    'accept {"code":"the-code","position":{"latitude":52.52,"longitude":13.405,"accuracy":10}}',
  ]);
  expect($invited.get()).toMatchObject({ invitation: { state: 'shared' }, drawing });
});

it('invitee: a denied permission sends nothing and leaves the invitation open', async () => {
  stubGeolocation(null);
  const sent = api();
  await invited.acceptInvitation();
  expect(sent).toEqual([]);
  expect($invited.get()).toMatchObject({ invitation, progress: '', failure: 'denied' });
});

it.each([
  ['decline', () => invited.declineInvitation(), {}],
  ['stop', () => invited.stop(), {}],
  ['block', () => invited.blockRequester(true), { report: true }],
  ['block', () => invited.blockRequester(false), { report: false }],
  ['opt-out', () => invited.optOutOfInvitations('123456'), { digits: '123456' }],
])('invitee: %s is one call and final', async (path, act, more) => {
  const sent = api(over);
  await act();
  expect(sent).toEqual([`${path} ${JSON.stringify({ code: 'the-code', ...more })}`]);
  expect($invited.get().invitation?.state).toBe('over');
});

it.each([
  ['over', over],
  ['over', invitation],
  ['shared', { ...invitation, state: 'shared', shared: place }],
])('invitee: a late answer shows the current state: %s', async (state, now) => {
  const sent = api({ refused: 'invitation_ended' }, now);
  await invited.declineInvitation();
  expect(sent).toHaveLength(2);
  expect($invited.get()).toMatchObject({ stage: 'open', invitation: { state }, progress: '' });
});

it('invitee: a failure is shown and can be retried; two taps are one call', async () => {
  api({ refused: 'unexpected' });
  await invited.stop();
  expect($invited.get()).toMatchObject({ invitation, progress: '', failure: 'failed' });
  const sent = api(over);
  await Promise.all([invited.stop(), invited.stop()]);
  expect(sent).toHaveLength(1);
});

it('invitee: the digits name the page’s own request for a code', async () => {
  const sent = api({ request: 'mine' }, over);
  await invited.sendOptOutCode('0151 1');
  await invited.optOutOfInvitations('123456');
  expect(sent[1]).toBe('opt-out {"code":"the-code","digits":"123456","request":"mine"}');
});

it('invitee: a number leads to the code step, and back', async () => {
  const sent = api({});
  await invited.sendOptOutCode('0151 1');
  expect(sent).toEqual(['opt-out-code {"code":"the-code","phone":"0151 1"}']);
  expect($invited.get()).toMatchObject({ codeSent: true, progress: '', invitation });
  invited.returnToNumber();
  expect($invited.get()).toMatchObject({ codeSent: false, invitation });
});

it('invitee: a refused number or code shows the reason and keeps the invitation', async () => {
  api({ refused: 'number_not_invited', message: 'Not this time.' });
  await invited.sendOptOutCode('0151 1');
  const expected = { fieldError: 'Not this time.', codeSent: false, progress: '', invitation };
  expect($invited.get()).toMatchObject(expected);
});
