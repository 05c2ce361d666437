import type { InvitationDraft } from '../../../worker/invitations/rules/invitation.ts';
import type { Contact } from '../../../worker/invitations/sms/sms-outbox.ts';
import type { AccountId, InvitationId } from '../../../worker/platform/types.ts';

export const draftOf = (
  account: AccountId,
  more: Partial<InvitationDraft> = {},
): InvitationDraft => ({
  id: crypto.randomUUID() as InvitationId,
  account,
  duration: 'day',
  via: 'sms',
  name: 'Ana',
  numberEnd: '89',
  ...more,
});

export const contact: Contact = {
  e164: '+4915123456789',
  country: 'DE',
  zones: ['Europe/Berlin'],
  site: 'https://funnel.test',
};

/** Ten in the morning in Berlin. */
export const morning = Date.parse('2026-11-20T09:00:00Z');

export const here = { latitude: 52.5200066, longitude: 13.404954, accuracy: 8, at: morning };
