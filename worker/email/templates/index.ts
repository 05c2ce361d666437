import type * as v from 'valibot';
import { cardExpires, renewalFailed } from './card-emails.ts';
import { pauseReminder, planChange } from './change-emails.ts';
import { debitFailed, debitProcessing } from './debit-emails.ts';
import { appLink, cancelLink, manageLink, signIn } from './link-emails.ts';
import {
  paymentConfirmation,
  purchaseConfirmation,
  refund,
  withdrawal,
} from './purchase-emails.ts';
import {
  cancellation,
  extraEnded,
  renewalReceipt,
  renewalReminder,
  resumption,
} from './renewal-emails.ts';

const withCode = {
  sign_in: signIn,
  app_link: appLink,
  manage_link: manageLink,
  cancel_link: cancelLink,
} as const;

export const templates = {
  ...withCode,
  bought: purchaseConfirmation,
  reminder: renewalReminder,
  cancelled: cancellation,
  extra_ended: extraEnded,
  debit_processing: debitProcessing,
  debit_failed: debitFailed,
  confirm_payment: paymentConfirmation,
  renewal_failed: renewalFailed,
  card_expires: cardExpires,
  renewed: renewalReceipt,
  resumed: resumption,
  plan_changed: planChange,
  pause_ends: pauseReminder,
  withdrawn: withdrawal,
  refunded: refund,
} as const;

export type TemplateName = keyof typeof templates;
export type TemplateWithCode = keyof typeof withCode;

export const hasCode = (name: TemplateName): name is TemplateWithCode =>
  Object.hasOwn(withCode, name);

/** Fields that the consumer adds when it sends, so that no queue stores them. */
type AddedByConsumer = 'page' | 'code';

/** The data of a template's queue message; null where the consumer makes the code. */
export type DataOf<Name extends TemplateName> = Name extends TemplateWithCode
  ? null
  : Omit<v.InferOutput<(typeof templates)[Name]['data']>, AddedByConsumer>;
