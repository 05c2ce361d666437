import type * as v from 'valibot';
import { appLink } from './app-link.ts';
import { bought } from './bought.ts';
import { cancelled } from './cancelled.ts';
import { confirmPayment } from './confirm-payment.ts';
import { extraEnded } from './extra-ended.ts';
import { cancelLink, manageLink } from './page-link.ts';
import { refunded } from './refunded.ts';
import { reminder } from './reminder.ts';
import { resumed } from './resumed.ts';
import { signIn } from './sign-in.ts';
import { withdrawn } from './withdrawn.ts';

/** Mails with a link that opens something. */
const withCode = {
  sign_in: signIn,
  app_link: appLink,
  manage_link: manageLink,
  cancel_link: cancelLink,
} as const;

/** Every mail that we send, by the name that it has in the queue. */
export const letters = {
  ...withCode,
  bought,
  reminder,
  cancelled,
  extra_ended: extraEnded,
  confirm_payment: confirmPayment,
  resumed,
  withdrawn,
  refunded,
} as const;

export type LetterName = keyof typeof letters;
export type LetterWithCode = keyof typeof withCode;

/** Whether a letter is told its code by who delivers it, and nothing by its message. */
export const hasCode = (letter: LetterName): letter is LetterWithCode =>
  Object.hasOwn(withCode, letter);

/** What is read when the mail is sent, so that it lies in no queue. */
type AddedLater = 'page';

/** What the message of a letter has to tell. */
export type DataOf<Name extends LetterName> = Name extends LetterWithCode
  ? null
  : Omit<v.InferOutput<(typeof letters)[Name]['data']>, AddedLater>;
