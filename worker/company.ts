import type { Env } from './env.ts';

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

/** The variables that the legal pages need and do not have. */
export function missingFacts(vars: Readonly<Record<string, unknown>>): string[] {
  return Object.values(facts).filter((name) => !vars[name]);
}
