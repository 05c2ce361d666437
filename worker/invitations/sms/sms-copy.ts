import { directionOf, type Language } from '../../../locales/index.ts';
import { brandOf } from '../../content/rules/themes.ts';
import { languageFor, loadLanguage, type SmsText, smsTextsIn } from '../../content/translations.ts';
import type { Env } from '../../platform/env.ts';
import { Unavailable } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Duration } from '../rules/invitation.ts';

/** Stored with each answer as evidence of its wording. Increment it when the texts change. */
export const smsCopyVersion = 5;

/** Our most likely language for a country; else English. */
export function smsLanguage(country: string | null): string {
  if (country === null) return languageFor([]);
  const { language, region } = new Intl.Locale(`und-${country}`).maximize();
  return languageFor([`${language}-${region}`, language]);
}

/** The texts of people in a country, never in another language. @throws Unavailable while they cannot be read */
export async function smsTextsFor(country: string | null, env: Env, log: Log): Promise<SmsText> {
  const language = smsLanguage(country);
  if (await loadLanguage(language, env, log)) return smsTextsIn(language);
  throw new Unavailable('ASSETS', 'no SMS texts');
}

const fill = (text: string, values: Record<string, string>) =>
  text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? '');

/** The code is in the fragment, so no server log has it. */
export const invitationLink = (site: string, code: string) => `${site}/i#${code}`;

export const statusCallbackUrl = (
  site: string,
  { kind, id }: { kind: 'invitation' | 'reminder' | 'ended' | 'opt_out_code'; id: string },
) => `${site}/webhooks/twilio/status?kind=${kind}&sms=${id}`;

interface SmsValues {
  name: string;
  site: string;
  code: string;
}

export function invitationSms(
  env: Env,
  texts: SmsText,
  duration: Duration,
  { name, site, code }: SmsValues,
): string {
  const values = { brand: brandOf(env), name, link: invitationLink(site, code) };
  return fill(texts.invitation[duration], values);
}

/** The message as the requester sends it: STOP would reach the requester, so nothing follows the link. */
export function ownMessage(
  env: Env,
  texts: SmsText,
  duration: Duration,
  values: SmsValues,
): string {
  const link = invitationLink(values.site, values.code);
  return `${invitationSms(env, texts, duration, values).split(link, 1)[0]}${link}`;
}

/** What our SMS says after the link. */
export const smsEnding = (env: Env, texts: SmsText, values: SmsValues): string =>
  invitationSms(env, texts, 'day', values)
    .slice(ownMessage(env, texts, 'day', values).length)
    .trim();

/** A link without a visible end, readable also within right-to-left text. */
const exampleLink: Record<'ltr' | 'rtl', string> = {
  ltr: 'https://…',
  rtl: '\u2066https://…\u2069',
};

export function exampleSms(
  language: Language,
  duration: Duration,
  { brand, name }: { brand: string; name: string },
): string {
  const values = {
    brand,
    name,
    link: exampleLink[directionOf(language)],
  };
  return fill(smsTextsIn(language).invitation[duration], values);
}

export function reminderSms(env: Env, texts: SmsText, { name, site, code }: SmsValues): string {
  const values = { brand: brandOf(env), name, link: invitationLink(site, code) };
  return fill(texts.reminder, values);
}

export const endedSms = (env: Env, texts: SmsText, { name }: Pick<SmsValues, 'name'>): string =>
  fill(texts.ended, { brand: brandOf(env), name });

export const optOutCodeSms = (env: Env, texts: SmsText, code: string): string =>
  fill(texts.opt_out_code, { brand: brandOf(env), code });

export const replySms = (
  env: Env,
  texts: SmsText,
  reply: 'stopped' | 'started' | 'help',
  site: string,
): string => fill(texts[reply], { brand: brandOf(env), site });
