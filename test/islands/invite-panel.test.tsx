import { expect, it } from 'vitest';
import { InvitationForm, MessagePreview } from '../../islands/invitations/invitation-form.tsx';
import { InvitationCard, RefundOffer } from '../../islands/invitations/invitation-list.tsx';
import type { ShownInvitation as Asked } from '../../islands/invitations/requester-store.ts';
import InvitePanel from '../../islands/invite-panel.tsx';
import { setEmail } from '../../islands/stores/signup.ts';
import { text as all, htmlOf, wordsOf } from './render-html.tsx';

const text = all['invite-panel'];
const nothing = () => {};
const at = Date.parse('2026-11-21T11:00Z');
const invitation: Asked = {
  id: 'a',
  state: 'sent',
  via: 'sms',
  number_end: '42',
  sends_at: null,
  delivery: null,
  answer_by: at,
  until: null,
  position: null,
  reason: null,
  refusal: null,
};
const cardHtml = (more: Partial<Asked>) =>
  htmlOf(
    <InvitationCard
      text={text}
      language="en"
      invitation={{ ...invitation, ...more }}
      drawing={null}
      streetSource={null}
      mailing="idle"
      onMail={nothing}
      onSend={nothing}
      onEnd={nothing}
    />,
  );
const card = (more: Partial<Asked>) => wordsOf(cardHtml(more));

it('invite panel: is step 1, and reserves its space until the invitations are known', () => {
  const html = htmlOf(
    <InvitePanel text={text} language="en" refunds="/refunds" streetSource={null} />,
  );
  expect(wordsOf(html)).toMatch(/^1 Ask them /);
  expect(html).toContain('data-waits');
});

const form = (phone: string | null, byLink = false) =>
  htmlOf(
    <InvitationForm
      text={text}
      phone={phone}
      byLink={byLink}
      name=""
      duration=""
      errors={{}}
      pending={false}
      onOtherNumber={nothing}
      onSubmit={nothing}
    />,
  );

it('invite panel: preselects nothing, and asks for a number only when none is known', () => {
  expect(form(null)).toMatch(/type="tel"/);
  expect(form('+1 212 555 0100')).not.toMatch(/type="tel"|checked=""/);
  expect(form('+1 212 555 0100')).toContain('maxLength="20"');
});

it('invite panel: a number without SMS is offered a link, and nothing that needs an SMS', () => {
  const words = wordsOf(form('+49 30 12345678', true));
  expect(words).toContain('1 hour 1 day Copy a link');
  expect(words).not.toMatch(/message|Send|30 days/);
  expect(wordsOf(form('+49 1512 3456789'))).toContain('30 days at most See the message');
});
it('invite panel: shows the exact message in its language and when it is sent', () => {
  const message = (sends_at: number | null, words = 'أنا', emailVerified = true) =>
    htmlOf(
      <MessagePreview
        text={text}
        language="en"
        message={{ text: words, language: 'ar', sends_at }}
        emailVerified={emailVerified}
        pending={false}
        onSend={nothing}
        onCopy={nothing}
        onChange={nothing}
      />,
    );
  expect(message(null)).toMatch(/<blockquote [^>]*lang="ar" dir="auto">أنا</);
  expect(wordsOf(message(at))).toMatch(/It goes out on November 21 at .* your time,/);
  expect(wordsOf(message(at, 'a', false))).toContain('It goes out once you confirm your email.');
});

it.each([
  [{ state: 'sending' }, 'Sending.'],
  [{ state: 'sending', sends_at: at }, 'Goes out on November 21 at .*, your time.'],
  [{ state: 'sent' }, 'Sent. A yes by November 21 at .* shows here.'],
  [{ state: 'sent', via: 'link' }, 'Link created. A yes by November 21 at .* shows here.'],
  [{ state: 'accepted', until: at }, 'They said yes.'],
] as [Partial<Asked>, string][])(
  'invite panel: the state %j is shown as %j and can be ended',
  (more, sentence) => {
    expect(card(more)).toMatch(new RegExp(`^Number ending in 42 ${sentence}.*End the invitation$`));
  },
);

it('invite panel: announces the state in one live region', () => {
  expect(cardHtml({ state: 'sending' })).toMatch(/role="status">Sending\.</);
});

it('invite panel: every refusal has the same text, without reason or action', () => {
  expect(card({ state: 'not_shared' })).toBe(
    `Number ending in 42 Not shared. ${text.not_shared_note}`,
  );
});

it('invite panel: shows location, time, and until when it is visible', () => {
  const position = { latitude: 52.52, longitude: 13.405, accuracy: 200, at };
  expect(card({ state: 'accepted', position, until: at })).toMatch(
    /to about 200 meters Open in Maps You see it until November 21 at/,
  );
});

it('invite panel: refunds with one press, or explains how', () => {
  const refund = (open: boolean) =>
    wordsOf(
      htmlOf(
        <RefundOffer
          text={text}
          claimable={open}
          refundPolicy="/refunds"
          pending={false}
          onClaim={nothing}
        />,
      ),
    );
  expect(refund(true)).toMatch(/That ends your plan\. Claim your refund$/);
  expect(refund(false)).toMatch(/14 days, you can claim your money back here\. How refunds work$/);
});

it('invite panel: a kept message shows its reason and its end, and can be deleted', () => {
  setEmail('anna@example.com', true);
  const words = card({ state: 'kept' });
  expect(words).toMatch(
    /Waiting for you to confirm your email\. Press the button in the email we sent to \u2066anna@example\.com\u2069,/,
  );
  expect(words).toMatch(
    /We keep it until November 21 at .*Email me a new link Delete the message$/,
  );
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
    `Number ending in 42 Not sent. ${reason} ${text.name}: Ana Send Delete the message`,
  );
});
