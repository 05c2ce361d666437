export interface GooglePerson {
  /** Google's id of the user. */
  sub: string;
  email: string;
  /** Empty where Google has none. */
  name: string;
  /** Whether Google runs the mailbox, so that it knows who owns it today. */
  authoritative: boolean;
}

/**
 * What a Google sign-in may do with the account of its mailbox. The account opens for the Google user
 * who created or verified it, and for the owner of a mailbox that Google runs. For any other mailbox
 * Google knew the owner once, which is enough only in the account's own browser.
 */
export function googleMaySignIn(
  account: { googleSub: string | null; verifiedAt: number | null; userUuid: string },
  { sub, authoritative }: Pick<GooglePerson, 'sub' | 'authoritative'>,
  browser: string,
): 'sign_in' | 'verify' | 'nothing' {
  const isOwner = account.googleSub === sub || account.userUuid === browser;
  if (!isOwner && !authoritative) return 'nothing';
  return account.verifiedAt === null ? 'verify' : 'sign_in';
}
