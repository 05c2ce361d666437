import type { Account } from './braintree-account.ts';
import { callBraintree } from './braintree-line.ts';
import { BraintreeUnclear } from './braintree-rest.ts';

/** What a call came to; `codes` are the validation codes of a refusal. */
export type Answer<T> = { is: 'done'; data: T } | { is: 'refused'; codes: string[] };

interface Problem {
  message: string;
  extensions?: { errorClass?: string; legacyCode?: string };
}

const definite = new Set(['VALIDATION', 'NOT_FOUND']);
/** The same key under way, or one whose first request ended in a fault: asked again, it may be known. */
const unclearCodes = new Set(['915233', '915235']);

/**
 * One call of the GraphQL interface.
 *
 * @throws {BraintreeUnclear} when the answer says nothing definite; fetch's own errors
 */
export async function graphql<T>(
  { graphql: address, authorization }: Account,
  query: string,
  variables: object,
): Promise<Answer<T>> {
  const response = await callBraintree(address, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      'braintree-version': '2019-01-01',
    },
    body: JSON.stringify({ query, variables }),
  });
  if (!response.ok) throw new BraintreeUnclear(`http ${response.status}`);
  const answer: { data?: T; errors?: Problem[] } = await response.json();
  const { data, errors = [] } = answer;
  if (errors.length === 0) {
    if (!data) throw new BraintreeUnclear('no data');
    return { is: 'done', data };
  }
  const unclear = errors.find(
    ({ extensions: { errorClass = '', legacyCode = '' } = {} }) =>
      !definite.has(errorClass) || unclearCodes.has(legacyCode),
  );
  if (unclear) throw new BraintreeUnclear(unclear.extensions?.errorClass ?? 'no class');
  return {
    is: 'refused',
    codes: errors.map(({ extensions }) => extensions?.legacyCode ?? extensions?.errorClass ?? ''),
  };
}
