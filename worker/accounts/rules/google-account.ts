/** A person as Google vouches for them. */
export interface GooglePerson {
  /** Google's id of the user. */
  sub: string;
  email: string;
  /** Empty where Google has none. */
  name: string;
  /** Whether Google runs the mailbox: only then does it know who has it today. */
  authoritative: boolean;
}

/**
 * What Google's word for a mailbox does to the account that has it. An account opens to the Google
 * user who created or verified it, from any browser, and to whoever has a mailbox that Google runs.
 * Of any other mailbox Google knew its owner once: that is enough in the account's own browser. For
 * everybody else a mailed link comes first.
 */
export function googleMaySignIn(
  account: { googleSub: string | null; verifiedAt: number | null; userUuid: string },
  { sub, authoritative }: Pick<GooglePerson, 'sub' | 'authoritative'>,
  browser: string,
): 'sign_in' | 'verify' | 'nothing' {
  const same = account.googleSub === sub || account.userUuid === browser;
  if (!same && !authoritative) return 'nothing';
  return account.verifiedAt === null ? 'verify' : 'sign_in';
}
