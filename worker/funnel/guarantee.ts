const day = 24 * 60 * 60_000;
/** The person has 14 days to agree; their requester may ask for the money for 30 more. */
const claimable = 44 * day;

/**
 * Whether money may be asked back because nobody agreed.
 *
 * @param paidAt when the plan was first paid, ms since 1970; null where nothing was
 */
export const mayClaim = (paidAt: number | null, now: number): boolean =>
  paidAt !== null && now < paidAt + claimable;
