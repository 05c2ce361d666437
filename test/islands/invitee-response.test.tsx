import { expect, it } from 'vitest';
import { $invitee, type InviteeSlice } from '../../islands/invitations/invitee-store.ts';
import { type BlockStep, InviteeView } from '../../islands/invitations/invitee-view.tsx';
import InviteeResponse from '../../islands/invitee-response.tsx';
import { text as all, htmlOf, wordsOf } from './html.tsx';

const text = all['invitee-response'];
const at = Date.parse('2026-11-21T11:00Z');
const question = {
  state: 'asked',
  name: 'Anna',
  duration: 'hour',
  answer_by: at,
  until: null,
  shared: null,
  blocked: null,
  hidden: false,
} as const;
const shared = { latitude: 52.52, longitude: 13.405, accuracy: 200, at };
const help = { name: 'A line', number: '0 100', dial: '0100' };
const nothing = () => {};
const html = (state: Partial<InviteeSlice>, step: BlockStep = '') =>
  htmlOf(
    <InviteeView
      text={text}
      language="en"
      help={help}
      now={{ ...$invitee.get(), ...state }}
      step={step}
      onAction={nothing}
      onNumber={nothing}
      onCode={nothing}
      onRetry={nothing}
    />,
  );
const open = (more: Partial<InviteeSlice['question']>, step: BlockStep = '') =>
  html({ stage: 'open', question: { ...question, ...more } }, step);
const buttons = (page: string) =>
  [...page.matchAll(/<button class="([^"]*)" id="([\w-]+)"/g)].map(([, look, id]) => [id, look]);

it('invitee page: is the same for everyone before the question loads, with the helpline', () => {
  const page = htmlOf(<InviteeResponse text={text} language="en" help={help} />);
  expect(wordsOf(page)).toMatch(/^Opening the question Under pressure\? .* A line 0 100/);
  expect(page).toContain('href="tel:0100"');
});

it('invitee page: names the requester, the purpose and the duration, and that declining has no consequence', () => {
  const words = wordsOf(open({}));
  expect(words).toMatch(/^Anna asks where you are They typed this name themselves\./);
  for (const said of [text.what_text, text.long_hour, text.no_text, text.mind_text]) {
    expect(words).toContain(said);
  }
});

it('invitee page: all answers have equal weight', () => {
  for (const [page, ids] of [
    [open({}), ['accept', 'decline', 'block']],
    [open({}, 'blocking'), ['block_only', 'report', 'everyone', 'back']],
  ] as const) {
    const found = buttons(page);
    expect(found.map(([id]) => id)).toEqual(ids);
    expect(new Set(found.map(([, look]) => look)).size).toBe(1);
  }
});

it('invitee page: shows what is shared, until when, and how to stop', () => {
  const page = open({ state: 'shared', until: at, shared });
  expect(wordsOf(page)).toMatch(/^Anna can see this .*to about 200 meters 52\.520, 13\.405/);
  expect(buttons(page).map(([id]) => id)).toEqual(['stop', 'block']);
});

it('invitee page: says when it is over, and offers to block only those not blocked', () => {
  const page = open({ state: 'over', name: '' });
  expect(wordsOf(page)).toMatch(/^Nothing is shared This question is over\./);
  expect(buttons(page).map(([id]) => id)).toEqual(['block']);
  expect(buttons(open({ state: 'over', name: '', blocked: 'asker' }))).toEqual([]);
});

it('invitee page: says who is blocked, and that the link hides a refusal', () => {
  const blocked = (who: 'asker' | 'everyone') =>
    wordsOf(open({ state: 'over', name: '', blocked: who, hidden: true }));
  expect(blocked('asker')).toMatch(/Who asked cannot ask you again\..*Until Nov 21, 2026/);
  expect(blocked('everyone')).toContain('Nobody can ask you through us any more.');
  expect(wordsOf(open({ state: 'over', name: '', hidden: true }))).toContain(
    'So nobody can read your answer here.',
  );
});

it('invitee page: asks for the number, then the code, before blocking everyone', () => {
  const asks = html({ stage: 'open', question }, 'proving');
  expect(wordsOf(asks)).toContain('Is the number yours? Links get passed on, so we need proof.');
  expect(asks).toMatch(/<input[^>]* id="phone"[^>]* type="tel"/);
  const coded = html({ stage: 'open', question, codeSent: true, fieldError: 'Wrong' }, 'proving');
  expect(wordsOf(coded)).toContain('Enter the code');
  expect(coded).toMatch(/<input[^>]* id="opt-out-code"[^>]* autoComplete="one-time-code"/);
  expect(coded).toMatch(/id="opt-out-code-error"[^>]*>Wrong</);
  for (const page of [asks, coded]) expect(buttons(page).map(([id]) => id)).toContain('back');
});

it.each(['missing', 'unknown', 'own'] as const)(
  'invitee page: a link that is %s offers no answer',
  (stage) => {
    const page = html({ stage });
    expect([wordsOf(page).startsWith(text[stage]), buttons(page)]).toEqual([true, []]);
  },
);

it('invitee page: explains why the browser gave no location', () => {
  const refused = html({ stage: 'open', question, failure: 'denied' });
  expect(wordsOf(refused)).toContain('Your browser gave no place. Nothing was shared.');
});
