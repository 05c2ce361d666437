import { accountById } from '../accounts/account-table.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import type { Env } from '../platform/env.ts';
import type { AccountId } from '../platform/types.ts';
import type { InviteeStorage } from './invitee-storage.ts';
import { browserIdentity, mailboxIdentity } from './requester-right.ts';
import { isOver } from './rules/invitation.ts';
import { suspensionsOf } from './sms/sms-limiter-object.ts';

interface Proof {
  mailbox: string;
  /** The hash of the browser that proved the mailbox. */
  browser: string;
}

/**
 * A report of what was asked before the proof suspended the account with the browser that had asked. If that browser
 * proved the mailbox, the mailbox is suspended too. If another did, its owner may be somebody else, so neither the
 * mailbox nor that browser is. The account stays: whoever was reported could otherwise go on with it in another browser.
 */
async function settleSuspension(
  env: Env,
  account: AccountId,
  { mailbox, browser }: Proof,
): Promise<void> {
  const suspensions = suspensionsOf(env, account);
  const identities = await suspensions.suspendedWith(account);
  if (!identities?.includes(browser) || identities.includes(mailbox)) return;
  await suspensionsOf(env, mailbox).suspend(mailbox, [account]);
  await suspensions.suspend(account, [mailbox]);
}

/**
 * What an account's browser asked by link before the mailbox was proven. If another browser proved it, the address may
 * be another person's, who must not see an answer that was meant for whoever sent the link: then it ends. If the same
 * one did, refusals hold for the mailbox, and an earlier one of the mailbox ends what is open. Not sooner: whoever typed
 * the address would learn of them. Repeated after a failure, so the suspension comes first.
 * @returns hashes of browsers that asked before another one proved the mailbox: they do not speak for its owner
 */
export async function confirmAsked(
  invitee: InviteeStorage,
  account: AccountId,
  env: Env,
): Promise<string[]> {
  const asked = () =>
    invitee
      .invitationsOf(account, Date.now())
      .filter((one) => one.unconfirmedBrowser !== undefined);
  if (asked().length === 0) return [];
  const owner = await accountById(accountDatabase(env, account), account);
  if (owner?.verifiedAt == null) return [];
  const mailbox = await mailboxIdentity(env, owner.email);
  const browser = await browserIdentity(env, owner.userUuid);
  await settleSuspension(env, account, { mailbox, browser });
  const others = new Set<string>();
  for (const { unconfirmedBrowser = '' } of asked())
    if (unconfirmedBrowser !== owner.userUuid)
      others.add(await browserIdentity(env, unconfirmedBrowser));
  const now = Date.now();
  for (const invitation of asked()) {
    const isOpen = !isOver(invitation);
    const isOwn = owner.userUuid === invitation.unconfirmedBrowser;
    const isRefused = !isOwn || invitee.isUnavailableTo(account, [mailbox], now);
    if (isOwn) {
      invitee.markConfirmed(invitation, now);
      invitee.identities.add(account, [mailbox]);
    }
    if (isOpen && isRefused) invitee.cancel(invitation.id, now);
  }
  return [...others];
}
