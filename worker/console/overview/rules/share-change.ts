export interface Share {
  part: number;
  of: number;
}

interface ShareChange {
  points: number;
  kind: 'better' | 'worse' | 'same';
}

/** A difference this many standard errors wide is chance in one of twenty cases. */
const limit = 1.96;

function isChance(now: Share, before: Share): boolean {
  const all = (now.part + before.part) / (now.of + before.of);
  const error = Math.sqrt(all * (1 - all) * (1 / now.of + 1 / before.of));
  return Math.abs(now.part / now.of - before.part / before.of) <= limit * error;
}

/** As its percentage is shown, so that the difference is the one that a reader gets. */
const shown = ({ part, of }: Share) => Math.round((1000 * part) / of) / 1000;

/** Only a change that is more than chance is better or worse; null without a comparison. @param more whether a rise is an improvement */
export function shareChange(now: Share, before: Share, more = true): ShareChange | null {
  if (now.of <= 0 || before.of <= 0) return null;
  const isRise = now.part / now.of > before.part / before.of;
  const kind = isChance(now, before) ? 'same' : isRise === more ? 'better' : 'worse';
  return { points: shown(now) - shown(before), kind };
}
