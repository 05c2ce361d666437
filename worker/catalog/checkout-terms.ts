import { createHmac, timingSafeEqual } from 'node:crypto';
import murmurhash from 'murmurhash';
import { interpolate } from '../../locales/format/interpolate.ts';
import { money } from '../../locales/format/money.ts';
import { percentOf } from '../../locales/format/numerals.ts';
import { languages } from '../content/language-files.ts';
import { placeholders } from '../content/page-placeholders.ts';
import { knownTimeZone } from '../content/time-zone.ts';
import { type Translations, translationsFor } from '../content/translations.ts';
import { dayMs, minuteMs } from '../platform/durations.ts';
import { type Refused, refused } from '../platform/errors.ts';
import type { Minor } from '../platform/types.ts';
import { minor } from '../platform/types.ts';
import type { Visitor } from '../visitor/visitor.ts';
import type { Terms } from './accepted-terms.ts';
import type { Catalog } from './rules/catalog.ts';
import { type Market, marketByTag, marketTag } from './rules/markets.ts';
import { isFreeTrial, ownDiscount, ownWords, type Plan, type PlanFamily } from './rules/plans.ts';
import { firstRenewal, formatDay, renewalSteps } from './rules/renewal-date.ts';

type Reader = Pick<Visitor, 'language' | 'market' | 'timeZone'>;

const everyOf = ({ period }: Pick<Plan, 'period'>, language: string): string =>
  period === 'once' ? '' : translationsFor(language).screens(`plans.every.${period}`);

/** What each renewal costs from which day on, as the checkout says it. */
export function renewalTexts(
  plan: Plan,
  { language, timeZone }: Pick<Reader, 'language' | 'timeZone'>,
  now: number,
) {
  const { screens: t } = translationsFor(language);
  const every = everyOf(plan, language);
  const first = firstRenewal(plan, now);
  const steps = first === null ? [] : renewalSteps(plan, null, first);
  return steps.map(({ amount, at }) => {
    const date = formatDay(at, now, language, timeZone);
    const price = money(amount, plan.currency, language);
    const sentence = `${t('summary.then')} ${t('summary.renews', { price, date, every })}`;
    return { date, price: t('plans.line.renews', { price, every }), sentence };
  });
}

function mainLines(plan: Plan, amount: Minor, reader: Reader, now: number) {
  const { language, market } = reader;
  const { screens: t, named } = translationsFor(language);
  const { name = t(plan.name, { count: plan.introDays }), description } = ownWords(plan, named);
  return [
    name,
    ...(description ? [description] : []),
    `${t('summary.today')} ${money(amount, plan.currency, language)}`,
    ...(plan.period === 'once'
      ? [`${t('summary.then')} ${t('summary.once')}`]
      : renewalTexts(plan, reader, now).map(({ sentence }) => sentence)),
    t(plan.disclaimer),
    ...(market.tax ? [t('summary.tax')] : []),
    t('checkout.consent'),
    t('checkout.cancel'),
  ];
}

function extraLines(plan: Plan, amount: Minor, { language, market }: Reader) {
  const { screens: t, named } = translationsFor(language);
  const price = money(amount, plan.currency, language);
  const { name: title = t(plan.name) } = ownWords(plan, named);
  const tax = market.tax ? [t('summary.tax')] : [];
  const percent = percentOf(plan.coupon?.percent ?? 0, language);
  const full = money(plan.price, plan.currency, language);
  const less = plan.coupon ? [t('upsell.less', { full, percent })] : [];
  const every = everyOf(plan, language);
  const cancel = plan.period === 'once' ? [] : [t(plan.disclaimer)];
  return [title, `${t(plan.description, { every })} ${price}`, ...less, ...cancel, ...tax];
}

function buttonOf(plan: Plan, amount: string, { language, market }: Reader): string {
  const { slot, period } = plan;
  const { islands } = translationsFor(language);
  const words = period === 'once' ? islands['upsell-offer'].once : islands['upsell-offer'].add;
  const isOrder = market.orderButton === 'order';
  if (slot === 'main') {
    const form = islands['card-form'];
    return isFreeTrial(plan) && !isOrder
      ? form.trial
      : interpolate(form[market.orderButton], { amount });
  }
  return interpolate(isOrder ? islands['card-form'].order : words, {
    amount,
    every: everyOf({ period }, language),
  });
}

/** Uses the screens' own texts. @param amount charged today, minor units */
export function termsOf(plan: Plan, amount: Minor, reader: Reader, now: number): Terms {
  const { language, market, timeZone } = reader;
  const lines =
    plan.slot === 'main' ? mainLines(plan, amount, reader, now) : extraLines(plan, amount, reader);
  const button = buttonOf(plan, money(amount, plan.currency, language), reader);
  const text = [...lines, button].join('\n');
  return { text, version: null, language, market: market.id, timeZone, at: now };
}

/** In every time zone, days start at a full quarter of an hour. */
const quarterHourMs = 15 * minuteMs;
const maxPageAgeMs = dayMs;

/** Of pages that we rendered or signed, so bounded by languages, markets and offers. */
const cache = new WeakMap<Translations, WeakMap<Catalog, Map<string, string>>>();

function cachedVersions(texts: Translations, catalog: Catalog): Map<string, string> {
  const byCatalog = cache.get(texts) ?? new WeakMap<Catalog, Map<string, string>>();
  cache.set(texts, byCatalog);
  const versions = byCatalog.get(catalog) ?? new Map<string, string>();
  byCatalog.set(catalog, versions);
  return versions;
}

/** A hash of what the page says about the plans that it sells. */
function versionOf({ catalog, language, market, families }: ShownTerms): string {
  const texts = translationsFor(language);
  const versions = cachedVersions(texts, catalog);
  const key = `${marketTag(market)} ${market.tax} ${families.join()}`;
  let version = versions.get(key);
  if (version === undefined) {
    const reader = { language, market, timeZone: 'UTC' };
    const all = families.flatMap((family) => {
      const plan = catalog.planById(`${family}_${market.currency.toLowerCase()}`);
      return plan === undefined
        ? []
        : termsOf(plan, minor(plan.today - ownDiscount(plan)), reader, 0).text;
    });
    const hash = (seed: number) =>
      murmurhash.v3(all.join('\n\n'), seed).toString(16).padStart(8, '0');
    version = hash(0) + hash(1);
    versions.set(key, version);
  }
  return version;
}

export const encodeServedAt = (now: number): string => Math.floor(now / quarterHourMs).toString(36);

/** Ms since 1970; null for a time in the future or over a day ago. */
function decodeServedAt(text: string, now: number): number | null {
  const served = Number.parseInt(text, 36) * quarterHourMs;
  return served <= now && now - served <= maxPageAgeMs ? served : null;
}

interface ShownTerms {
  catalog: Catalog;
  language: string;
  market: Market;
  families: readonly PlanFamily[];
  /** Those that are sold only while the page holds their price. */
  ending?: readonly PlanFamily[];
}

/**
 * Version of the terms, language, market, time served, time zone, plan families and signature, separated by `|`. A `!`
 * follows a family that ends.
 */
export const termsFingerprint = (shown: ShownTerms): string =>
  `${fingerprintClaims(shown, placeholders.servedAt, placeholders.timeZone)}|${placeholders.offerStamp}`;

export function fingerprintClaims(shown: ShownTerms, servedAt: string, timeZone: string): string {
  const { language, market, families, ending = [] } = shown;
  const version = versionOf(shown);
  const marked = families.map((family) => (ending.includes(family) ? `${family}!` : family));
  return [version, language, marketTag(market), servedAt, timeZone, marked.join(',')].join('|');
}

/** For 24 hours a visitor can buy what the page showed, even if the configuration has changed. */
export const offerStamp = (secret: string, claims: string): string =>
  createHmac('sha256', secret).update(`offer|${claims}`).digest('base64url');

export function isValidStamp(secrets: readonly string[], fingerprint: string): boolean {
  const end = fingerprint.lastIndexOf('|');
  const stamp = Buffer.from(fingerprint.slice(end + 1));
  return secrets.some((secret) => {
    const expected = Buffer.from(offerStamp(secret, fingerprint.slice(0, Math.max(0, end))));
    return stamp.length === expected.length && timingSafeEqual(stamp, expected);
  });
}

/** Those that the page sold. */
export const familiesIn = (fingerprint: string): PlanFamily[] =>
  (fingerprint.split('|')[5] ?? '').replaceAll('!', '').split(',');

/** The market whose page offered a plan; null if none did. */
export function marketOffering(fingerprint: string, plan: Plan, now: number): Market | null {
  const [, , tag = '', servedAt = ''] = fingerprint.split('|');
  const market = marketByTag(tag);
  const isOffered =
    decodeServedAt(servedAt, now) !== null &&
    market?.currency === plan.currency &&
    familiesIn(fingerprint).includes(plan.family);
  return isOffered ? market : null;
}

/** @param plan that the page holds; any if omitted */
export const holdsPrice = (fingerprint: string, plan?: Plan): boolean =>
  (fingerprint.split('|')[5] ?? '')
    .split(',')
    .some((family) => (plan ? family === `${plan.family}!` : family.endsWith('!')));

export type TermsResult =
  | { kind: 'terms'; terms: Terms }
  | Refused<'terms_changed' | 'plan_not_offered' | 'offer_ended'>;

export interface TermsSource {
  now: number;
  catalog: Catalog;
  load: (language: string) => Promise<unknown>;
  marketBy?: (tag: string) => Market | undefined;
}

/** Refused when the terms changed or the page is over a day old. @param amount charged today, minor units */
export async function shownTerms(
  fingerprint: string,
  plan: Plan,
  amount: Minor,
  { now, catalog, load, marketBy = marketByTag }: TermsSource,
): Promise<TermsResult> {
  const changed = refused('terms_changed');
  const [version = '', code, tag = '', at = '', zone = ''] = fingerprint.split('|');
  const language = languages.find((one) => one === code);
  const market = marketBy(tag);
  if (!language || market?.currency !== plan.currency || knownTimeZone(zone) !== zone)
    return changed;
  const served = decodeServedAt(at, now);
  if (served === null) return changed;
  await load(language);
  const families = familiesIn(fingerprint);
  if (versionOf({ catalog, language, market, families }) !== version) return changed;
  const terms = termsOf(plan, amount, { language, market, timeZone: zone }, served);
  return { kind: 'terms', terms: { ...terms, version, at: now } };
}
