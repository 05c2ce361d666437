import type textsInEnglish from '../../../locales/en/texts.json';
import { languageFor } from '../../content/translations.ts';
import type { Env } from '../../env.ts';
import type { Duration } from '../rules/invitation.ts';

type Texts = typeof textsInEnglish;

/** Small, and fixed: nobody outside lays other words over what people are asked with. */
const files = import.meta.glob<Texts>('../../../locales/*/texts.json', {
  eager: true,
  import: 'default',
});

/** Kept with every answer as evidence of what was asked. New words need the next number. */
export const smsCopyVersion = 1;

/** The language that people of a country most likely read, among ours; English where none fits. */
export function languageOf(country: string | null): string {
  if (country === null) return languageFor([]);
  const { language, region } = new Intl.Locale(`und-${country}`).maximize();
  return languageFor([`${language}-${region}`, language]);
}

const textsIn = (country: string | null): Texts => {
  const texts = files[`../../../locales/${languageOf(country)}/texts.json`];
  if (!texts) throw new RangeError('no texts');
  return texts;
};

const fill = (text: string, values: Record<string, string>) =>
  text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? '');

/** Whose text it is: the company's name, else our host's. */
const brandOf = (env: Env, site: string) => env.COMPANY_NAME || new URL(site).host;

/** Where a text leads. The code stands in the fragment, which no server gets to see. */
export const linkOf = (site: string, code: string) => `${site}/i#${code}`;

/** Where the vendor tells how a text of ours fares. */
export const statusCallbackOf = (
  site: string,
  { kind, id }: { kind: 'invitation' | 'reminder' | 'stop_code'; id: string },
) => `${site}/webhooks/twilio/status?kind=${kind}&text=${id}`;

interface About {
  /** Who asks. */
  name: string;
  /** Country of the number, ISO 3166 alpha-2. */
  country: string | null;
  /** Origin of our pages. */
  site: string;
  code: string;
}

/** What a person is asked, as the text says it. */
export function invitationSms(env: Env, duration: Duration, about: About): string {
  const { name, country, site, code } = about;
  const values = { brand: brandOf(env, site), name, link: linkOf(site, code) };
  return fill(textsIn(country).invitation[duration], values);
}

/** Reminds a person that they still share. */
export function reminderSms(env: Env, { name, country, site, code }: About): string {
  const values = { brand: brandOf(env, site), name, link: linkOf(site, code) };
  return fill(textsIn(country).reminder, values);
}

/** Proves who has the number, for who wants nobody to ask. @param code six digits */
export const optOutCodeSms = (
  env: Env,
  code: string,
  country: string | null,
  site: string,
): string => fill(textsIn(country).stop_code, { brand: brandOf(env, site), code });

/** Confirms a STOP or a START, or says who we are. */
export const replySms = (
  env: Env,
  reply: 'stopped' | 'started' | 'help',
  country: string | null,
  site: string,
): string => fill(textsIn(country)[reply], { brand: brandOf(env, site), site });
