import type { Context } from 'hono';
import { storeArms, storedArms } from '../experiments/experiment-cookie.ts';
import { type Arm, armsIn, armsText } from '../experiments/rules/arms.ts';
import type { App } from '../platform/env.ts';

/** Orders and sign-ups count for the experiments that the visitor saw; for all where no cookie may tell which. */
export function seenArms(c: Context<App>): readonly Arm[] {
  const { assignment, visitor } = c.var;
  if (!visitor.permissions.measuring) return assignment.arms;
  const seen = storedArms(c);
  return assignment.arms.filter((arm) =>
    seen.some((one) => one.experiment === arm.experiment && one.variant === arm.variant),
  );
}

export const seenArmsText = (c: Context<App>): string => armsText(seenArms(c));

/** Another device of the account's owner sees the variants of the account. @param text `arms` of the account */
export function keepArms(c: Context<App>, text: string): void {
  const account = armsIn(text);
  if (account.length > 0 && c.var.visitor.permissions.measuring) storeArms(c, account, []);
}
