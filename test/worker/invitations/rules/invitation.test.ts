import { expect, test } from 'vitest';
import {
  type Act,
  act,
  at,
  draft,
  endsAt,
  type Invitation,
  type InvitationState,
  isOver,
  reminded,
} from '../../../../worker/invitations/rules/invitation.ts';
import { question } from '../invitation-fixture.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

const asked = question('a', { id: 'i', duration: 'hour' });
const through = (...acts: Act[]) =>
  acts.reduce<Invitation | null>(
    (before, what) => before && act(before, what, 'person', 10),
    draft(asked, 1, 0),
  );

test.each<[InvitationState, Act[]]>([
  ['drafted', []],
  ['sent', ['send']],
  ['opened', ['send', 'open']],
  ['accepted', ['send', 'open', 'accept']],
  ['declined', ['send', 'open', 'decline']],
  ['blocked', ['send', 'open', 'block']],
  ['blocked', ['block']],
  ['expired', ['send', 'open', 'expire']],
  ['expired', ['expire']],
  ['stopped', ['send', 'open', 'accept', 'stop']],
])('%s after %j', (state, acts) => expect(through(...acts)?.state).toBe(state));

test.each<Act[][]>([
  [['accept']],
  [['send', 'accept']],
  [['open']],
  [['send', 'open', 'decline', 'accept']],
  [['send', 'open', 'stop']],
  [['send', 'open', 'accept', 'accept']],
  [['send', 'open', 'accept', 'stop', 'accept']],
  [['block', 'send']],
])('%j is not legal', (acts) => expect(through(...acts)).toBeNull());

test('every change is kept with its time, whose doing it was, and the version of the words', () => {
  const sent = act(draft(asked, 7, 1), 'send', 'vendor', 2);
  expect(sent?.evidence).toEqual([
    { at: 1, state: 'drafted', by: 'requester', text: 7 },
    { at: 2, state: 'sent', by: 'vendor', text: 7 },
  ]);
});

test('the name goes with an end that shows; with a hidden one, with the time for an answer', () => {
  expect(through('send', 'open', 'accept')?.name).toBe('Ana');
  for (const no of [
    through('send', 'open', 'decline'),
    through('send', 'open', 'accept', 'stop'),
  ]) {
    expect(no && [at(no, 7 * day - 1).name, at(no, 7 * day).name]).toEqual(['Ana', '']);
  }
  const yes = through('send', 'open', 'accept');
  expect(yes && act({ ...yes, seen: true }, 'stop', 'person', 10)?.name).toBe('');
  expect(yes && at(yes, 2 * day).name).toBe('');
  const back = act(draft(asked, 1, 0), 'expire', 'requester', 10);
  expect(back?.name).toBe('');
});

test.each([
  ['hour', hour],
  ['day', day],
  ['until_stopped', 30 * day],
] as const)('a yes for %s ends after %d ms, by the clock', (duration, lasts) => {
  const yes = { ...draft({ ...asked, duration }, 1, 0), state: 'accepted', acceptedAt: 5 } as const;
  expect(endsAt(yes)).toBe(5 + lasts);
  expect(at(yes, 4 + lasts)).toBe(yes);
  const over = at(yes, 99 * day);
  expect([over.state, over.evidence.at(-1)]).toEqual([
    'stopped',
    { at: 5 + lasts, state: 'stopped', by: 'clock', text: 1 },
  ]);
});

test('what is not answered ends after a week, and what is over stays as it is', () => {
  const sent = through('send');
  expect(sent && at(sent, 7 * day - 1).state).toBe('sent');
  expect(sent && at(sent, 7 * day).state).toBe('expired');
  const no = through('send', 'open', 'decline');
  expect(no && at(no, 7 * day - 1)).toBe(no);
  expect(no && at(no, 99 * day).state).toBe('declined');
  expect(no && isOver(no)).toBe(true);
});

test('who shares without an end is reminded after a day, then weekly; others are not', () => {
  const open = {
    ...draft({ ...asked, duration: 'until_stopped' }, 1, 0),
    state: 'opened',
  } as const;
  const yes = act(open, 'accept', 'person', 100);
  expect(yes?.remindAt).toBe(100 + day);
  const once = yes && reminded(yes, 100 + day);
  expect(once?.remindAt).toBe(100 + 8 * day);
  expect(once && reminded(once, 100 + 16 * day).remindAt).toBe(100 + 22 * day);
  expect(through('send', 'open', 'accept')?.remindAt).toBeNull();
});
