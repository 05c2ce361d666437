import type { Sandbox } from '../call.ts';
import { Invalid, NotAllowed, NotFound, NotImplemented } from '../errors.ts';
import { execute } from './execute.ts';
import { mutations } from './mutations.ts';
import { parse } from './parse.ts';
import { queries } from './queries.ts';

export interface Asked {
  query: string;
  variables?: Record<string, unknown>;
}

function problem(error: unknown): object {
  const message = error instanceof Error ? error.message : 'error';
  if (error instanceof Invalid) {
    const { code: legacyCode, field } = error;
    const inputPath = ['input', ...(legacyCode === '81715' ? ['creditCard', 'number'] : [field])];
    return { message, extensions: { errorClass: 'VALIDATION', legacyCode, inputPath } };
  }
  // The schema itself says no: such an answer has no class.
  if (error instanceof NotImplemented || error instanceof SyntaxError) return { message };
  const known = error instanceof NotFound ? 'NOT_FOUND' : 'INTERNAL';
  return {
    message,
    extensions: { errorClass: error instanceof NotAllowed ? 'AUTHORIZATION' : known },
  };
}

/** What the browser's authorization may do. */
const forBrowsers = new Set(['clientConfiguration', 'tokenizeCreditCard', 'ping']);

/** Answers one call of the GraphQL interface, always with 200. */
export function answerGraphql(
  sandbox: Sandbox,
  { query, variables = {} }: Asked,
  browser: boolean,
) {
  let path: string[] = [];
  try {
    const document = parse(query);
    path = document.operation.flatMap((one) => ('field' in one ? [one.as] : []));
    if (browser) {
      const barred = document.operation.find(
        (one) => !('field' in one) || !forBrowsers.has(one.field),
      );
      if (barred) throw new NotAllowed('not for a client');
    }
    const root = /^\s*mutation\b/.test(query) ? mutations(sandbox) : queries(sandbox);
    return { data: execute(document, { __typename: 'Root', ...root }, variables) };
  } catch (error) {
    return { data: null, errors: [{ ...problem(error), path }] };
  }
}
