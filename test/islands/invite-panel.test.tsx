import type { ComponentProps } from 'react';
import { expect, it } from 'vitest';
import { InvitationCard } from '../../islands/invitations/invitation-card.tsx';
import { InvitationForm } from '../../islands/invitations/invitation-form.tsx';
import { RefundOffer } from '../../islands/invitations/refund-offer.tsx';
import type {
  ShownInvitation as Asked,
  OwnMessage,
} from '../../islands/invitations/requester-store.ts';
import { signupName } from '../../islands/invitations/use-new-invitation.ts';
import InvitePanel from '../../islands/invite-panel.tsx';
import { setPhone } from '../../islands/phone/entered-phone.ts';
import { $signup, setEmail } from '../../islands/stores/signup.ts';
import { linkOrAppColumns } from '../../islands/ui/link-or-app.tsx';
import { text as all, htmlOf, wordsOf } from './render-html.tsx';

const text = all['invite-panel'];
const nothing = () => {};
const at = Date.parse('2026-11-21T11:00Z');
const invitation: Asked = {
  id: 'a',
  state: 'sent',
  requested_at: at,
  via: 'sms',
  number_end: '42',
  sends_at: null,
  delivery: null,
  answer_by: at,
  ended_by: null,
  until: null,
  position: null,
  reason: null,
  refusal: null,
};
const cardHtml = (
  more: Partial<Asked>,
  own: OwnMessage | null = null,
  headed = false,
  emailVerified = true,
) =>
  htmlOf(
    <InvitationCard
      text={text}
      language="en"
      invitation={{ ...invitation, ...more }}
      drawing={null}
      streetSource={null}
      own={own}
      headed={headed}
      hasEnded={false}
      emailVerified={emailVerified}
      onSend={nothing}
      onCopy={nothing}
      onSent={nothing}
      onEnd={nothing}
      onAgain={nothing}
      onOther={nothing}
    />,
  );
const card = (more: Partial<Asked>) => wordsOf(cardHtml(more));

it('invite panel: reserves its space until the invitations are known', () => {
  const html = htmlOf(
    <InvitePanel text={text} language="en" refunds="/refunds" streetSource={null} />,
  );
  expect(wordsOf(html)).toMatch(/^Invite someone /);
  expect(html).toContain('data-waits');
});

const preview = {
  messages: { hour: '{{name}} 1 h', day: '{{name}} 1 d', until_stopped: '{{name}} 30 d' },
  language: 'ar',
  stop: 'Reply STOP',
  sends_at: null,
  by_sms: true,
};
type FormProps = ComponentProps<typeof InvitationForm>;
const form = (more: Partial<FormProps> = {}) =>
  htmlOf(
    <InvitationForm
      {...{ text, language: 'en', emailVerified: true, pending: false, status: '', refused: '' }}
      {...{ phone: '+1 212 555 0100', name: 'Anna', duration: 'day', preview, byLink: false }}
      {...{ more: false, byMouse: false, errors: {}, form: { current: null }, setStatus: nothing }}
      {...{ onPhone: nothing, onName: nothing, onDuration: nothing }}
      {...{ onOtherNumber: nothing, onWay: nothing }}
      {...more}
    />,
  );

it('invite panel: one card shows the message with the typed name, the duration and the ways to send it', () => {
  expect(form()).toMatch(/<blockquote [^>]*lang="ar" dir="auto">Anna 1 d</);
  expect(form({ name: '', duration: 'until_stopped' })).toContain('>[Your name] 30 d<');
  expect(form()).toMatch(/value="day"[^>]*checked=""|checked=""[^>]*value="day"/);
  expect(wordsOf(form())).toMatch(
    /1 hour 1 day 30 days What they’ll read \(Arabic\) Anna 1 d Send from my phone Opens your messages, ready to send\. Text them for me Copy link Nothing goes out until you send it\. They need no app and pay nothing to answer\. If we text them, we add “Reply STOP”\.\s*$/,
  );
  expect(wordsOf(form({ byMouse: true }))).toContain(
    'Text them for me Copy link Send from my phone Nothing',
  );
  expect(form()).not.toMatch(/type="tel"/);
  expect(form({ phone: null })).toMatch(/type="tel"/);
});

it('invite panel: where no other step has it, a figure compares the link with the app', () => {
  const figure = linkOrAppColumns(all['app-handoff']);
  expect(wordsOf(form({ text: { ...text, figure } }))).toMatch(
    /STOP”\. With a link One position Once No app With the app Live Both ways App on both phones$/,
  );
});

it.each([
  ['Ana', 'Ana'],
  ['Ana Maria Lima', 'Ana Maria Lima'],
  ['Ana Maria Alexandra Lima', 'Ana'],
  ['Anamariaalexandralimaf', ''],
  ['ana@example.com', ''],
  ['', ''],
])('invite panel: with the name %j from the sign-up the form starts with %j', (name, first) => {
  $signup.set({ ...$signup.get(), name });
  expect(signupName()).toBe(first);
});

it('invite panel: only what we send waits for the daytime or the confirmation', () => {
  const later = form({ preview: { ...preview, sends_at: at } });
  expect(wordsOf(later)).toMatch(/We text them on November 21 at .* your time,/);
  expect(wordsOf(form({ emailVerified: false }))).toContain(
    'Text them for me After you confirm your email. Copy link',
  );
});

it('invite panel: a number without SMS is asked from the own phone or by a link, for a day at most', () => {
  const words = wordsOf(form({ byLink: true }));
  expect(words).toContain('ready to send. Copy link');
  expect(words).not.toMatch(/30 days|Text them for me/);
});

it.each([
  [{ state: 'sending' }, 'Sending.'],
  [
    { state: 'sending', sends_at: at },
    'Goes out at .* Goes out November 21 at .* Answer by November 21 at ',
  ],
  [{ state: 'sent' }, 'No answer yet. Created November 21 at .* Answer by November 21 at '],
  [{ state: 'accepted', until: at }, 'They said yes.'],
] as [Partial<Asked>, string][])(
  'invite panel: the state %j is shown as %j and can be ended',
  (more, sentence) => {
    expect(card(more)).toMatch(
      new RegExp(`^Number ending in 42 ${sentence}.*(End the|Stop seeing this) \\w+$`),
    );
  },
);

it('invite panel: a copied link can be copied again, and a message opened again', () => {
  const own = { id: 'a', link: 'https://funnel.test/i#c' };
  const words = (sms: string) => wordsOf(cardHtml({ via: 'link' }, { ...own, sms }));
  expect(words('')).toMatch(/https:\/\/funnel\.test\/i#c Copy link Created .* End the invitation$/);
  expect(words('sms:1')).toContain(`${text.own_ready} Open the message Copy link Created`);
  const sent = cardHtml({ via: 'link' }, { ...own, sms: 'sms:1', isSent: true });
  expect(wordsOf(sent)).not.toContain(text.own_ready);
  // The way to send it again stays the main action.
  expect(sent).toMatch(/<a class="(?![^"]*_secondary)[^"]*" id="open-message"/);
});

it('invite panel: announces the state in one live region', () => {
  expect(cardHtml({ state: 'sending' })).toMatch(/role="status">Sending\.</);
});

it('invite panel: while it waits, the page says what happens next, and that it may be closed', () => {
  expect(wordsOf(cardHtml({}, null, true))).toMatch(
    /Created November 21 at .* Answer by November 21 at .* You can close this page\. We’ll email you .* Ask someone else End the invitation$/,
  );
  // Nothing is e-mailed to an address that nobody has confirmed.
  expect(wordsOf(cardHtml({}, null, true, false))).toMatch(
    /“Your purchases”\. Get the answer by email .*Email me a code .* Ask someone else/,
  );
  expect(wordsOf(cardHtml({ state: 'sending', sends_at: at }, null, true))).toMatch(
    /Email confirmed Goes out .* Answer by .* You can close/,
  );
});

it('invite panel: every refusal has the same text, without reason or action', () => {
  expect(card({ state: 'not_shared' })).toMatch(
    new RegExp(`^Number ending in 42 Not shared. Created .* Answer by .* ${text.not_shared_note}$`),
  );
});

it.each([
  [null, 'Not shared\\. Ask someone else We never say why'],
  [
    'time',
    'The time is up\\. Their location has been deleted\\. They had said yes, so .* applies\\. How refunds work Ask again',
  ],
  [
    'invitee',
    'They stopped sharing\\. Their location has been deleted\\. They .* How .* Ask someone',
  ],
  // Nothing was shared, perhaps.
  ['requester', 'You ended it\\. How refunds work Ask someone else'],
] as const)('invite panel: an end by %j says so, with one button', (ended_by, sentence) => {
  const html = cardHtml({ state: 'not_shared', ended_by }, null, true);
  expect(wordsOf(html)).toMatch(new RegExp(`^${sentence}`));
  expect(html.match(/<button/g)).toHaveLength(1);
});

it('invite panel: shows location, time, and until when it is visible', () => {
  const position = { latitude: 52.52, longitude: 13.405, accuracy: 200, at };
  expect(card({ state: 'accepted', position, until: at })).toMatch(
    /to about 660 feet Open in Maps Visible to you until November 21 at.* They don’t see where you are\. Ask again Stop/,
  );
  const fresh = { ...position, at: Date.now() };
  expect(card({ state: 'accepted', position: fresh, until: at })).not.toContain('Ask again');
});

it('invite panel: refunds with one press, or explains how', () => {
  const refund = (until: number) =>
    wordsOf(
      htmlOf(
        <RefundOffer
          text={text}
          language="en"
          until={until}
          refundPolicy="/refunds"
          pending={false}
          onClaim={nothing}
        />,
      ),
    );
  expect(refund(at)).toMatch(
    /^You can claim a full refund until November 21\. Claiming it ends your plan\. Or ask .* Claim your refund$/,
  );
  expect(refund(0)).toMatch(/14 days, you can claim your money back here\. How refunds work$/);
});

it('invite panel: a kept message waits for the code, and can be deleted', () => {
  setEmail('anna@example.com', true);
  const words = card({ state: 'kept' });
  expect(words).toMatch(
    /Confirm your email\. We emailed a six-digit code to anna@example\.com *\. Six-digit code .*Confirm and send Email me a new code If you don’t confirm by November 21 at/,
  );
  expect(words).toMatch(
    /Send from my phone Correct the address or stop Wrong address\? .* Delete the message$/,
  );
  // It goes out in the morning.
  expect(card({ state: 'kept', sends_at: at })).not.toContain('Confirm and send');
});

it('invite panel: a yes is seen at once, and where they are after the confirmation', () => {
  const words = card({ state: 'accepted', reason: 'r', refusal: 'email_unverified', until: at });
  expect(words).toMatch(
    /They said yes\. Confirm .* to see .*Email me a code Visible to you until .*Wrong address.*Stop seeing/,
  );
});

it('invite panel: a number that was typed here is shown in full', () => {
  setPhone('+1 212 555 0142', 'US');
  expect(card({})).toContain('+1 212 555 0142');
  setPhone('', '');
});

it('invite panel: a message that was refused after the confirmation says why', () => {
  expect(card({ state: 'not_sent', reason: 'The plan is over.' })).toBe(
    'Number ending in 42 Not sent. The plan is over. Delete the message',
  );
});

it('invite panel: a message that another browser wrote is sent only with a press', () => {
  const reason = 'Written elsewhere.';
  const more = { reason, refusal: 'written_elsewhere', name: 'Ana' };
  expect(card({ state: 'not_sent', ...more })).toBe(
    `Number ending in 42 Not sent. ${reason} ${text.name}: Ana Text them for me Delete the message`,
  );
});
