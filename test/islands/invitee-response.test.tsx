import { expect, it, vi } from 'vitest';
import { type BlockStep, InviteePage } from '../../islands/invitations/invitee-page.tsx';
import { $invitee, type InviteeSlice } from '../../islands/invitations/invitee-store.ts';
import InviteeResponse, {
  watchPrivateCode,
  watchQuickExit,
} from '../../islands/invitee-response.tsx';
import { text as all, htmlOf, wordsOf } from './render-html.tsx';

it('private code: reports the code of the entry, then each later code in the URL and removes it', () => {
  const page = new EventTarget();
  const location = { pathname: '/i', hash: '' };
  const history = {
    state: { depth: 0, code: 'one' } as object,
    replaceState: vi.fn((state: object, _: string, address: string) => {
      history.state = state;
      location.hash = address.includes('#') ? address : '';
    }),
  };
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', history);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const codes: string[] = [];
  const end = watchPrivateCode((code) => codes.push(code));
  const move = (hash: string) => {
    location.hash = hash;
    page.dispatchEvent(new Event('hashchange'));
  };
  move('#two');
  expect(history.replaceState.mock.calls).toEqual([[{ depth: 0, code: 'two' }, '', '/i']]);
  end();
  move('#three');
  expect(codes).toEqual(['one', 'two']);
});

it('private code: punctuation after the code is left out', () => {
  const codes: string[] = [];
  for (const [hash, kept] of [
    ['#one.', ''],
    ['', 'one)'],
  ]) {
    const history = {
      state: { depth: 0, code: kept } as object,
      replaceState: (state: object) => void Object.assign(history, { state }),
    };
    vi.stubGlobal('location', { pathname: '/i', hash });
    vi.stubGlobal('history', history);
    vi.stubGlobal('addEventListener', vi.fn());
    watchPrivateCode((code) => codes.push(code));
  }
  expect(codes).toEqual(['one', 'one']);
});

it('private code: reports an empty code when there is none', () => {
  vi.stubGlobal('location', { pathname: '/i', hash: '' });
  vi.stubGlobal('history', { state: null, replaceState: vi.fn() });
  vi.stubGlobal('addEventListener', vi.fn());
  const take = vi.fn();
  watchPrivateCode(take);
  expect(take.mock.calls).toEqual([['']]);
});

it('quick exit: replaces the page after clearing its history entry', () => {
  const done: unknown[] = [];
  const document = Object.assign(new EventTarget(), { body: { hidden: false } });
  vi.stubGlobal('document', document);
  vi.stubGlobal('history', { replaceState: (...all: unknown[]) => done.push(all) });
  vi.stubGlobal('location', { pathname: '/i', replace: (to: string) => done.push(to) });
  const click = (closest: () => object | null) => {
    const event = new Event('click', { cancelable: true });
    Object.defineProperty(event, 'target', { value: { closest } });
    document.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const end = watchQuickExit();
  expect(click(() => null)).toBe(false);
  expect(click(() => ({ href: 'https://away.example/' }))).toBe(true);
  expect(done).toEqual([[null, '', '/i'], 'https://away.example/']);
  expect(document.body.hidden).toBe(true);
  end();
  expect(click(() => ({ href: 'https://away.example/' }))).toBe(false);
});

const text = {
  ...all['invite-panel'],
  ...all['invitee-response'],
  live: 'With the app: Live · Both ways',
};
const at = Date.parse('2026-11-21T11:00Z');
const invitation = {
  state: 'pending',
  name: 'Anna',
  duration: 'hour',
  answer_by: at,
  until: null,
  visible: false,
  shared: null,
  blocked: null,
  hidden: false,
} as const;
const shared = { latitude: 52.52, longitude: 13.405, accuracy: 200, at };
const help = { name: 'A line', number: '0 100', dial: '0100', emergency: '911' };
const nothing = () => {};
const html = (state: Partial<InviteeSlice>, step: BlockStep = '') =>
  htmlOf(
    <InviteePage
      text={text}
      title="It’s your decision."
      lead="Nobody sees."
      language="en"
      streetSource="tiles"
      help={help}
      now={{ ...$invitee.get(), ...state }}
      step={step}
      appHref="https://store.example/app"
      onAction={nothing}
      onNumber={nothing}
      onCode={nothing}
      onRetry={nothing}
    />,
  );
const open = (more: Partial<InviteeSlice['invitation']>, step: BlockStep = '') =>
  html({ stage: 'open', invitation: { ...invitation, ...more } }, step);
const buttons = (page: string) =>
  [...page.matchAll(/<button class="([^"]*)" id="([\w-]+)"/g)].map(([, className, id]) => [
    id,
    className,
  ]);

it('invitee page: is the same for everyone before the invitation loads, with the helpline', () => {
  const page = htmlOf(
    <InviteeResponse
      text={text}
      title="Title"
      lead="Lead"
      language="en"
      streetSource={null}
      help={help}
      stores={{ apple: '', google: '', scheme: '' }}
    />,
  );
  expect(wordsOf(page)).toMatch(
    /^Title Lead Opening the request Is someone pressuring you\? .* A line 0 100/,
  );
  expect(page).toContain('href="tel:0100"');
});

it('invitee page: names the requester, the purpose and the duration, and that declining has no consequence', () => {
  const words = wordsOf(open({}));
  expect(words).toMatch(
    /^Anna is asking where you are It’s your decision\. Nobody sees\. They typed the name Anna\..*no account, nothing to pay\. What they would see/,
  );
  expect(words).toMatch(
    /don’t answer Until November 21 at .* they see no answer, then “Not shared”\. They never learn why\./,
  );
  for (const sentence of [text.what_text, text.long_hour]) {
    expect(words).toContain(sentence);
  }
});

it('invitee page: names the number for emergencies', () => {
  expect(wordsOf(open({}))).toContain('If you are in danger, call 911.');
});

it('invitee page: all answers have equal weight, and a block is a link below them', () => {
  const pending = buttons(open({}));
  expect(pending.map(([id]) => id)).toEqual(['accept', 'decline', 'block']);
  expect(pending.map(([, className]) => className === 'text-button')).toEqual([false, false, true]);
  for (const [page, ids] of [
    [open({}), ['accept', 'decline']],
    [open({}, 'blocking'), ['block_only', 'report', 'everyone']],
  ] as const) {
    const found = buttons(page).filter(([id]) => id !== 'block' && id !== 'back');
    expect(found.map(([id]) => id)).toEqual(ids);
    expect(new Set(found.map(([, className]) => className)).size).toBe(1);
  }
});

it('invitee page: shows the shared data, its end, and how to stop', () => {
  const page = open({ state: 'shared', until: at, visible: true, shared });
  expect(wordsOf(page)).toMatch(
    /^Anna can see where you were Sharing ends .* Stop and delete Shared once: November 21 at .*to about 660 feet Open in Maps/,
  );
  expect(wordsOf(page)).not.toContain('52.5');
  expect(buttons(page).map(([id]) => id)).toEqual(['stop', 'block']);
});

it('invitee page: says whether the requester can see the place, also where the link does not show it', () => {
  const said = (visible: boolean) => wordsOf(open({ state: 'shared', until: at, visible }));
  expect(said(true)).toMatch(/^Anna can see where you were Sharing ends/);
  expect(said(false)).toMatch(/^Anna can’t see this now Sharing ends/);
});

it('invitee page: says when the invitation is over, and offers to block unless already blocked', () => {
  const page = open({ state: 'over', name: '' });
  expect(wordsOf(page)).toMatch(/^Nothing is shared This request is over\./);
  expect(buttons(page).map(([id]) => id)).toEqual(['block']);
  expect(buttons(open({ state: 'over', name: '', blocked: 'requester' }))).toEqual([]);
});

it('invitee page: names the blocked requester, and says that the link hides a refusal', () => {
  const blocked = (who: 'requester' | 'everyone') =>
    wordsOf(open({ state: 'over', name: '', blocked: who, hidden: true }));
  expect(blocked('requester')).toMatch(
    /^Blocked This person can’t ask you again\. We don’t .* Until November 21 at/,
  );
  expect(blocked('everyone')).toContain('Nobody can ask you through us.');
  const hidden = wordsOf(open({ state: 'over', name: '', hidden: true }));
  expect(hidden).toMatch(/^Nothing is shared We don’t .* shows the question, not your answer\./);
});

it('invitee page: asks for the number, then the code, before blocking everyone', () => {
  const numberStep = html({ stage: 'open', invitation }, 'number');
  expect(wordsOf(numberStep)).toContain('Is this your number? We need proof.');
  expect(numberStep).toMatch(/<input[^>]* id="phone"[^>]* type="tel"/);
  const coded = html({ stage: 'open', invitation, codeSent: true, fieldError: 'Wrong' }, 'number');
  expect(wordsOf(coded)).toContain('Enter the code');
  expect(coded).toMatch(/<input[^>]* id="opt-out-code"[^>]* autoComplete="one-time-code"/);
  expect(coded).toMatch(/id="opt-out-code-error"[^>]*>Wrong</);
  for (const page of [numberStep, coded]) expect(buttons(page).map(([id]) => id)).toContain('back');
});

it.each(['missing', 'unknown', 'own'] as const)(
  'invitee page: a link that is %s offers no answer',
  (stage) => {
    const page = html({ stage });
    expect([wordsOf(page).includes(text[stage]), buttons(page)]).toEqual([true, []]);
    // Nobody knows then whether something is shared.
    expect(wordsOf(page)).not.toContain('Nothing is shared');
  },
);

it('invitee page: explains why the browser gave no location', () => {
  const refused = html({ stage: 'open', invitation, failure: 'denied' });
  expect(wordsOf(refused)).toContain(
    'Your browser didn’t share your location. Nothing was shared.',
  );
});

it('invitee page: only after the yes, below Stop, it offers the app, closed', () => {
  expect(wordsOf(open({}))).not.toContain('Get the app');
  const after = open({ state: 'shared', visible: true, shared, until: at });
  expect(wordsOf(after)).toMatch(
    /Stop and delete .*Want to see Anna too\? With the app: Live · Both ways Get the app Block or report Is someone/,
  );
  expect(after).toContain('<details><summary');
  expect(after).toContain('href="https://store.example/app"');
});
