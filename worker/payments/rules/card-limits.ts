/** So many tries of cards an hour are mistakes; more of them try out cards of others. */
export const attemptsPerHour = 5;

/** How long a try counts, in ms. */
export const attemptCounts = 60 * 60_000;

/**
 * When the whole shop's banks say no as they do to card testers. A fresh shop has few payments, and
 * an ordinary one about as many declines as purchases: both stay below.
 */
export const surge = {
  /** The time that is looked at, in ms. */
  window: 10 * 60_000,
  declines: 30,
  /** Of what banks decided, from 0 to 1. */
  share: 0.7,
  /** How long it lasts after the last decline that made it one, in ms. */
  lasts: 30 * 60_000,
  /** Tries an hour meanwhile. The first is always open, so that nobody can shut the shop. */
  tries: 1,
};

/** Whether so many declines among so many decisions are a surge. */
export const isSurge = (declined: number, decided: number): boolean =>
  declined >= surge.declines && declined >= decided * surge.share;

/** Why another try is refused to who made so many; null when it is not. */
export function refusalOf(tries: number, surging: boolean) {
  if (tries >= attemptsPerHour) return 'too_many_declines';
  return surging && tries >= surge.tries ? 'card_testing_protection' : null;
}
