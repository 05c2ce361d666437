import murmurhash from 'murmurhash';
import { placeholders } from '../content/page-placeholders.ts';
import { knownTimeZone } from '../content/time-zone.ts';
import {
  languages,
  loadLanguage,
  type Translations,
  translationsFor,
} from '../content/translations.ts';
import type { ErrorCode } from '../errors.ts';
import type { Terms } from '../payments/rules/merge-attempt.ts';
import { termsOf } from './checkout-terms.ts';
import { type Market, marketById } from './markets.ts';
import { ownDiscount, type Plan, type PlanFamily, planFamilies, planOf } from './plans.ts';

/** Pages tell when they were served in quarters of an hour: no zone's day begins between two. */
const quarter = 15 * 60_000;
/** A page that was served longer ago tells yesterday's days. */
const longest = 24 * 60 * 60_000;

/** Versions that were reckoned, by the words they are of; bounded by languages and markets. */
const known = new WeakMap<Translations, Map<Market['id'], string>>();

/** Names all that a language and a market say beside the button: 64 bits in hex. */
function versionOf(language: string, market: Market): string {
  const words = translationsFor(language);
  const versions = known.get(words) ?? new Map<Market['id'], string>();
  known.set(words, versions);
  let version = versions.get(market.id);
  if (version === undefined) {
    const reader = { language, market, timeZone: 'UTC' };
    const all = planFamilies.map((family) => {
      const plan = planOf(family, market.currency);
      return termsOf(plan, plan.today - ownDiscount(plan), reader, 0).text;
    });
    const hash = (seed: number) =>
      murmurhash.v3(all.join('\n\n'), seed).toString(16).padStart(8, '0');
    version = hash(0) + hash(1);
    versions.set(market.id, version);
  }
  return version;
}

/** When a page is served, as its mark tells it. @param now ms since 1970 */
export const encodeServedAt = (now: number): string => Math.floor(now / quarter).toString(36);

/** When a page was served, ms since 1970; null for a time to come, and for more than a day ago. */
export function decodeServedAt(told: string, now: number): number | null {
  const served = Number.parseInt(told, 36) * quarter;
  return served <= now && now - served <= longest ? served : null;
}

/** What a page shows to whom. */
interface Shown {
  language: string;
  market: Market;
  /** Every plan that it offers. */
  families: readonly PlanFamily[];
}

/**
 * What a page that takes payment says of what it shows: version of its words, language, market, the
 * tokens of the clock and time zone that its days are told by, its plans, and the token of their
 * stamp (`offer-stamp.ts`). A purchase sends it back.
 */
export const termsFingerprint = (shown: Shown): string =>
  `${fingerprintClaims(shown, placeholders.served, placeholders.zone)}|${placeholders.stamp}`;

/** All that the stamp of a mark signs. @param served as the mark tells it */
export function fingerprintClaims(
  { language, market, families }: Shown,
  served: string,
  zone: string,
): string {
  const version = versionOf(language, market);
  return [version, language, market.id, served, zone, families.join(',')].join('|');
}

/**
 * The words that a page showed beside the button, by the mark that it carried.
 *
 * @param amount what is charged today, in minor units
 * @param now ms since 1970
 * @returns a refusal when they are not known any more: the page has to be loaded again
 */
export async function shownTerms(
  mark: string,
  plan: Plan,
  amount: number,
  now: number,
): Promise<Terms | { refusal: ErrorCode }> {
  const gone = { refusal: 'terms_changed' } as const;
  const [version = '', tag, id = '', at = '', zone = ''] = mark.split('|');
  const language = languages.find((one) => one === tag);
  const market = marketById(id);
  if (!language || market?.currency !== plan.currency || knownTimeZone(zone) !== zone) return gone;
  const served = decodeServedAt(at, now);
  if (served === null) return gone;
  await loadLanguage(language);
  if (versionOf(language, market) !== version) return gone;
  const terms = termsOf(plan, amount, { language, market, timeZone: zone }, served);
  return { ...terms, version, at: now };
}
