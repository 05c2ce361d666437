import { callingCodeOf } from '../../islands/phone/countries.ts';
import type { Language } from '../../locales/index.ts';
import { readAsset } from '../content/asset-file.ts';
import type { Env } from '../platform/env.ts';
import type { Log } from '../platform/log.ts';

export interface Country {
  code: string;
  name: string;
  callingCode: string;
  /** A mobile number in national format; empty while the facts cannot be read, as are the groups. */
  exampleNumber: string;
  /** See `islands/phone/number-groups.ts`. */
  groups: string;
}

/** From the build, because the first use of the runtime's country names takes an isolate 12 ms. */
export type CountryFacts = Record<string, [exampleNumber: string, groups: string, name: string]>;

/** The Worker answers this path with 404. */
const factsPath = (language: Language) => `/edge/countries/${language}.json`;

/** Bounded by our languages and the codes that Cloudflare sends. */
const countries = new Map<string, Country>();

export async function countryOf(
  requested: string,
  language: Language,
  env: Pick<Env, 'ASSETS'>,
  log: Log,
): Promise<Country> {
  const key = `${language}|${requested}`;
  const known = countries.get(key);
  if (known) return known;
  const facts = await readAsset<CountryFacts>(factsPath(language), env, (reason) =>
    log('error', 'lookup_data_missing', { dataset: 'countries', reason }),
  );
  const callingCode = callingCodeOf(requested);
  const code = callingCode ? requested : 'US';
  const runtimeName = () => new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;
  const [exampleNumber = '', groups = '', name = runtimeName()] = facts?.[code] ?? [];
  const country = { code, name, callingCode: callingCode || '1', exampleNumber, groups };
  if (facts) countries.set(key, country);
  return country;
}
