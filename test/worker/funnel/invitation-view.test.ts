import { expect, test } from 'vitest';
import { type Act, act, draft, type Invitation } from '../../../worker/funnel/invitation.ts';
import { forPerson, forRequester } from '../../../worker/funnel/invitation-view.ts';

const asked = {
  id: 'i',
  account: 'a',
  duration: 'day',
  via: 'text',
  name: 'Ana',
  numberEnd: '89',
} as const;
const place = { latitude: 1, longitude: 2, accuracy: 100, at: 60_000 };

/** An invitation after some acts, each at its own time. */
function after(acts: Act[], start = 0): Invitation {
  let invitation = draft(asked, 1, 0);
  acts.forEach((what, index) => {
    const next = act(invitation, what, 'person', start + index);
    if (next) invitation = next;
  });
  return invitation;
}

const noes: Act[][] = [
  ['send', 'open', 'decline'],
  ['send', 'open', 'block'],
  ['send', 'open', 'expire'],
  ['send', 'block'],
  ['send', 'open', 'accept', 'stop'],
];

test('declined, blocked, expired and stopped are the same bytes for who asked, whenever they came', () => {
  const told = noes.map((acts, index) =>
    JSON.stringify(forRequester(after(acts, index * 1000), place, null)),
  );
  expect(new Set(told).size).toBe(1);
  expect(JSON.parse(told[0] ?? '')).toEqual({
    id: 'i',
    state: 'not_shared',
    asked_at: 0,
    duration: 'day',
    via: 'text',
    number_end: '89',
    sends_at: null,
    until: null,
    position: null,
  });
});

test('who asked does not see that it was opened', () => {
  const [sent, opened] = [after(['send']), after(['send', 'open'], 5)];
  expect(forRequester(opened, place, null)).toEqual(forRequester(sent, place, null));
});

test('a text that waits for the morning says until when', () => {
  expect(forRequester(after([]), null, 500)).toMatchObject({ state: 'sending', sends_at: 500 });
  expect(forRequester(after([]), null, 0)).toMatchObject({ state: 'sending', sends_at: null });
});

test('the place is shown after a yes, to both the same', () => {
  const yes = after(['send', 'open', 'accept'], 1000);
  const until = 1002 + 24 * 60 * 60_000;
  expect(forRequester(yes, place, null)).toMatchObject({
    state: 'accepted',
    until,
    position: place,
  });
  const seen = forPerson(yes, place, { country: 'DE', blocked: false });
  expect(seen).toMatchObject({ state: 'shared', until, shared: place, name: 'Ana' });
});

test.each(noes)('after %j the person sees that nothing is shared', (...acts) => {
  const seen = forPerson(after(acts as Act[]), place, { country: 'DE', blocked: true });
  expect(seen).toMatchObject({ state: 'over', name: '', until: null, shared: null, blocked: true });
});

test('before an answer the person sees who asks, and until when', () => {
  const seen = forPerson(after(['send', 'open']), place, { country: null, blocked: false });
  const answer_by = 7 * 24 * 60 * 60_000;
  expect(seen).toMatchObject({ state: 'asked', name: 'Ana', answer_by, shared: null });
});
