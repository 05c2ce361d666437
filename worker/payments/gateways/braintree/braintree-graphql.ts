import { callBraintree, type Sending } from './braintree-line.ts';
import { BraintreeAmbiguousError } from './client.ts';
import type { Account } from './credentials.ts';

/** What a call came to; `codes` are the validation codes of a refusal. */
export type Answer<T> = { is: 'done'; data: T } | { is: 'refused'; codes: string[] };

interface Problem {
  message: string;
  /** Which field of the answer it is about. */
  path?: (string | number)[];
  extensions?: { errorClass?: string; legacyCode?: string };
}

const definite = new Set(['VALIDATION', 'NOT_FOUND']);

/** A no to the call itself; one about a field of its answer leaves open what the call did. */
const isDefinite = ({ path = [], extensions }: Problem) =>
  path.length <= 1 && definite.has(extensions?.errorClass ?? '');

/**
 * One call of the GraphQL interface, repeated when its reply was lost, unless it is to be sent once.
 *
 * @throws {BraintreeAmbiguousError} when the answer says nothing definite; fetch's own errors
 */
export async function graphql<T>(
  { graphql: address, authorization }: Account,
  query: string,
  variables: object,
  sending: Sending = 'repeatable',
): Promise<Answer<T>> {
  const init = {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      'braintree-version': '2019-01-01',
    },
    body: JSON.stringify({ query, variables }),
  };
  const response = await callBraintree(address, init, sending);
  if (!response.ok) throw new BraintreeAmbiguousError(`http ${response.status}`);
  const answer: { data?: T; errors?: Problem[] } = await response.json();
  const { data, errors = [] } = answer;
  if (errors.length === 0) {
    if (!data) throw new BraintreeAmbiguousError('no data');
    return { is: 'done', data };
  }
  const unclear = errors.find((error) => !isDefinite(error));
  if (unclear) throw new BraintreeAmbiguousError(unclear.extensions?.errorClass ?? 'no class');
  return {
    is: 'refused',
    codes: errors.map(({ extensions }) => extensions?.legacyCode ?? extensions?.errorClass ?? ''),
  };
}
