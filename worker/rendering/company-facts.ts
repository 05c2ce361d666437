import type { ArticleId } from '../content/page-content.ts';
import type { Env } from '../platform/env.ts';
import { recordOf, typedKeys } from '../platform/keys.ts';

const facts = {
  company: 'COMPANY_NAME',
  address: 'COMPANY_ADDRESS',
  representative: 'COMPANY_REPRESENTATIVE',
  register: 'COMPANY_REGISTER',
  vat: 'COMPANY_VAT',
  email: 'SUPPORT_EMAIL',
  law: 'GOVERNING_LAW',
} as const satisfies Record<string, keyof Env>;

export type Company = Record<keyof typeof facts, string>;

/** A fact that is not set shows its variable's name: `‹COMPANY_NAME›`. */
export const companyOf = (env: Partial<Env>): Company =>
  recordOf(typedKeys(facts), (fact) => env[facts[fact]] || `‹${facts[fact]}›`);

const addresses = {
  terms: 'TERMS_URL',
  privacy: 'PRIVACY_URL',
  refunds: 'REFUNDS_URL',
  support: 'SUPPORT_URL',
  cookies: 'COOKIES_URL',
  imprint: 'IMPRINT_URL',
} as const satisfies Record<ArticleId, keyof Env>;

export const addressesOf = (env: Partial<Env>): Record<ArticleId, string> =>
  recordOf(typedKeys(addresses), (id) => env[addresses[id]] || `/${id}`);

export function missingAddresses(vars: Readonly<Record<string, unknown>>): string[] {
  return Object.values(addresses).filter((name) => !vars[name]);
}

export function missingFacts(vars: Readonly<Record<string, unknown>>): string[] {
  return Object.values(facts).filter((name) => !vars[name]);
}
