import type english from '../../../locales/en/sms.json';
import { directionOf, type Language } from '../../../locales/index.ts';
import { languageFor } from '../../content/translations.ts';
import type { Env } from '../../env.ts';
import type { Duration } from '../rules/invitation.ts';

type Texts = typeof english;

/** Built in: remote texts must not change the wording that people consent to. */
const files = import.meta.glob<Texts>('../../../locales/*/sms.json', {
  eager: true,
  import: 'default',
});

/** Stored with each answer as evidence of its wording. Increment it when the texts change. */
export const smsCopyVersion = 4;

/** Our most likely language for a country; else English. */
export function smsLanguage(country: string | null): string {
  if (country === null) return languageFor([]);
  const { language, region } = new Intl.Locale(`und-${country}`).maximize();
  return languageFor([`${language}-${region}`, language]);
}

const textsIn = (country: string | null): Texts => {
  const texts = files[`../../../locales/${smsLanguage(country)}/sms.json`];
  if (!texts) throw new RangeError('no texts');
  return texts;
};

const fill = (text: string, values: Record<string, string>) =>
  text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? '');

const brandOf = (env: Env, site: string) => env.COMPANY_NAME || new URL(site).host;

/** The code is in the fragment, so no server log has it. */
export const invitationLink = (site: string, code: string) => `${site}/i#${code}`;

export const statusCallbackUrl = (
  site: string,
  { kind, id }: { kind: 'invitation' | 'reminder' | 'ended' | 'opt_out_code'; id: string },
) => `${site}/webhooks/twilio/status?kind=${kind}&sms=${id}`;

interface SmsValues {
  name: string;
  country: string | null;
  site: string;
  code: string;
}

export function invitationSms(
  env: Env,
  duration: Duration,
  { name, country, site, code }: SmsValues,
): string {
  const values = { brand: brandOf(env, site), name, link: invitationLink(site, code) };
  return fill(textsIn(country).invitation[duration], values);
}

/** A link without a visible end, readable also within right-to-left text. */
const exampleLink: Record<'ltr' | 'rtl', string> = {
  ltr: 'https://…',
  rtl: '\u2066https://…\u2069',
};

export function exampleSms(
  env: Env,
  language: Language,
  duration: Duration,
  { brand, name }: { brand: string; name: string },
): string {
  const texts = files[`../../../locales/${language}/sms.json`] ?? textsIn(null);
  const values = {
    brand: env.COMPANY_NAME || brand,
    name,
    link: exampleLink[directionOf(language)],
  };
  return fill(texts.invitation[duration], values);
}

export function reminderSms(env: Env, { name, country, site, code }: SmsValues): string {
  const values = { brand: brandOf(env, site), name, link: invitationLink(site, code) };
  return fill(textsIn(country).reminder, values);
}

export const endedSms = (env: Env, { name, country, site }: Omit<SmsValues, 'code'>): string =>
  fill(textsIn(country).ended, { brand: brandOf(env, site), name });

export const optOutCodeSms = (
  env: Env,
  code: string,
  country: string | null,
  site: string,
): string => fill(textsIn(country).opt_out_code, { brand: brandOf(env, site), code });

export const replySms = (
  env: Env,
  reply: 'stopped' | 'started' | 'help',
  country: string | null,
  site: string,
): string => fill(textsIn(country)[reply], { brand: brandOf(env, site), site });
