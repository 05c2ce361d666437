import type { Context } from 'hono';
import { armsIn, armsText, type ExperimentArm, mergedArms } from '../experiments/rules/arms.ts';
import { readCookie } from '../http/read-cookie.ts';
import { setCookie } from '../http/set-cookie.ts';
import type { App } from '../platform/env.ts';

const armsCookie = 'arms';
const yearSeconds = 365 * 24 * 60 * 60;

/** Orders and sign-ups count for the experiments that the visitor saw; for all where no cookie may tell which. */
export function seenArms(c: Context<App>): readonly ExperimentArm[] {
  const { assignment, visitor } = c.var;
  if (!visitor.permissions.measuring) return assignment.arms;
  const seen = armsIn(readCookie(c, armsCookie) ?? '');
  return assignment.arms.filter(({ experiment, variant }) =>
    seen.some((arm) => arm.experiment === experiment && arm.variant === variant),
  );
}

export const seenArmsText = (c: Context<App>): string => armsText(seenArms(c));

/** Another device of the account's owner sees the variants of the account. @param text `arms` of the account */
export function keepArms(c: Context<App>, text: string): void {
  const account = armsIn(text);
  if (account.length === 0 || !c.var.visitor.permissions.measuring) return;
  const arms = mergedArms(account, armsIn(readCookie(c, armsCookie) ?? ''));
  setCookie(c, armsCookie, armsText(arms).replaceAll(',', '.'), {
    path: '/',
    sameSite: 'Lax',
    secure: c.req.url.startsWith('https:'),
    maxAge: yearSeconds,
  });
}
