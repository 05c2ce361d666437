import type * as v from 'valibot';
import { cancelLink, manageLink } from './account-links.ts';
import { appLink } from './app-link.ts';
import { cancellation } from './cancellation.ts';
import { extraEnded } from './extra-ended.ts';
import { confirmPayment } from './payment-confirmation.ts';
import { purchaseConfirmation } from './purchase-confirmation.ts';
import { refund } from './refund.ts';
import { renewalReminder } from './renewal-reminder.ts';
import { resumption } from './resumption.ts';
import { signIn } from './sign-in.ts';
import { withdrawal } from './withdrawal.ts';

/** Mails with a link that opens something. */
const withCode = {
  sign_in: signIn,
  app_link: appLink,
  manage_link: manageLink,
  cancel_link: cancelLink,
} as const;

/** Every mail that we send, by the name that it has in the queue. */
export const templates = {
  ...withCode,
  bought: purchaseConfirmation,
  reminder: renewalReminder,
  cancelled: cancellation,
  extra_ended: extraEnded,
  confirm_payment: confirmPayment,
  resumed: resumption,
  withdrawn: withdrawal,
  refunded: refund,
} as const;

export type TemplateName = keyof typeof templates;
export type TemplateWithCode = keyof typeof withCode;

/** Whether a letter is told its code by who delivers it, and nothing by its message. */
export const hasCode = (letter: TemplateName): letter is TemplateWithCode =>
  Object.hasOwn(withCode, letter);

/** What is read when the mail is sent, so that it lies in no queue. */
type AddedLater = 'page';

/** What the message of a letter has to tell. */
export type DataOf<Name extends TemplateName> = Name extends TemplateWithCode
  ? null
  : Omit<v.InferOutput<(typeof templates)[Name]['data']>, AddedLater>;
