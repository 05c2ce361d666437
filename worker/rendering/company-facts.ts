import type { Env } from '../env.ts';
import type { ArticleId } from '../page-types.ts';

/** What the legal pages say about who runs the funnel, by the variable that says it. */
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

/** The company's facts; one that is not set stands as its variable's name in quotes. */
export function companyOf(env: Partial<Env>): Company {
  const entries = Object.entries(facts).map(([fact, name]) => [fact, env[name] || `‹${name}›`]);
  return Object.fromEntries(entries) as Company;
}

/** Where legal and support pages stand elsewhere, by the variable that says it. */
const addresses = {
  terms: 'TERMS_URL',
  privacy: 'PRIVACY_URL',
  refunds: 'REFUNDS_URL',
  support: 'SUPPORT_URL',
  cookies: 'COOKIES_URL',
  imprint: 'IMPRINT_URL',
} as const satisfies Record<ArticleId, keyof Env>;

/** Addresses of the legal and support pages; ours where no other is set. */
export function addressesOf(env: Partial<Env>): Record<ArticleId, string> {
  const entries = Object.entries(addresses).map(([id, name]) => [id, env[name] || `/${id}`]);
  return Object.fromEntries(entries) as Record<ArticleId, string>;
}

/** The pages whose address is not set, so that our own text serves, by their variables. */
export function missingAddresses(vars: Readonly<Record<string, unknown>>): string[] {
  return Object.values(addresses).filter((name) => !vars[name]);
}

/** The variables that the legal pages need and do not have. */
export function missingFacts(vars: Readonly<Record<string, unknown>>): string[] {
  return Object.values(facts).filter((name) => !vars[name]);
}
