import type * as v from 'valibot';
import type { MailPlan } from '../../catalog/rules/plans.ts';
import { invitationAnswer } from './invitation-emails.ts';
import { appLink, cancelLink, confirmEmail, manageLink, signIn } from './link-emails.ts';
import { cardExpires, debitFailed, debitProcessing, renewalFailed } from './payment-emails.ts';
import {
  paymentConfirmation,
  purchaseConfirmation,
  refundEmail,
  withdrawal,
} from './purchase-emails.ts';
import {
  cancellation,
  extraEnded,
  pauseReminder,
  planChange,
  priceRaise,
  renewalReceipt,
  renewalReminder,
  resumption,
} from './subscription-emails.ts';

const withCode = {
  sign_in: signIn,
  confirm_email: confirmEmail,
  app_link: appLink,
  manage_link: manageLink,
  cancel_link: cancelLink,
} as const;

export const templates = {
  ...withCode,
  purchase_confirmation: purchaseConfirmation,
  renewal_reminder: renewalReminder,
  cancellation,
  extra_ended: extraEnded,
  debit_processing: debitProcessing,
  debit_failed: debitFailed,
  payment_confirmation: paymentConfirmation,
  renewal_failed: renewalFailed,
  card_expires: cardExpires,
  renewal_receipt: renewalReceipt,
  resumption,
  plan_change: planChange,
  price_raise: priceRaise,
  pause_reminder: pauseReminder,
  withdrawal,
  refund: refundEmail,
  invitation_answer: invitationAnswer,
} as const;

export type TemplateName = keyof typeof templates;
export type TemplateWithCode = keyof typeof withCode;

export const hasCode = (name: TemplateName): name is TemplateWithCode =>
  Object.hasOwn(withCode, name);

/** Fields that the consumer adds when it sends, so that no queue stores them. */
type AddedByConsumer = 'page' | 'code' | 'digits';

/** The data of a template's queue message, null where the consumer makes the code. */
export type DataOf<Name extends TemplateName> = Name extends TemplateWithCode
  ? null
  : Name extends 'invitation_answer'
    ? v.InferOutput<typeof invitationAnswer.data>
    : Omit<v.InferOutput<(typeof templates)[Name]['data']>, AddedByConsumer | 'plan'> & {
        plan: MailPlan;
      };
