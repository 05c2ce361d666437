import { callBraintree } from './braintree-line.ts';
import type { Account } from './credentials.ts';
import { parseXml, type Xml } from './xml.ts';

/** What a call came to: done, refused with validation codes, or about something that is not there. */
export type Reply =
  | { is: 'done'; body: Xml }
  | { is: 'refused'; codes: string[] }
  | { is: 'missing' };

/** A call that said nothing definite. */
export class BraintreeAmbiguousError extends Error {
  override readonly name = 'BraintreeUnclear';
  readonly code: string;
  constructor(code: string) {
    super(`Braintree: ${code}`);
    this.code = code;
  }
}

function codesIn(xml: Xml): string[] {
  if (Array.isArray(xml)) return xml.flatMap(codesIn);
  if (typeof xml !== 'object' || xml === null) return [];
  return Object.entries(xml).flatMap(([name, value]) =>
    name === 'code' && typeof value === 'string' ? [value] : codesIn(value),
  );
}

/**
 * One call of the REST interface, which speaks XML and hears JSON (as the official clients do).
 *
 * @param path after `/merchants/<id>`
 * @throws {BraintreeAmbiguousError} for any answer that is none of the three; fetch's own errors
 */
export async function rest(
  { rest: base, authorization }: Account,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
): Promise<Reply> {
  const init = {
    method,
    headers: {
      authorization,
      accept: 'application/xml',
      'content-type': 'application/json',
      'x-apiversion': '6',
    },
    body: body && JSON.stringify(body),
  };
  // What we create here has an id of ours, so that a repeat creates nothing more.
  const response = await callBraintree(`${base}${path}`, init, 'repeatable');
  const { status } = response;
  const text = await response.text();
  if (status === 404) return { is: 'missing' };
  if (status === 422) return { is: 'refused', codes: codesIn(parseXml(text)) };
  if (status !== 200 && status !== 201) throw new BraintreeAmbiguousError(`http ${status}`);
  return { is: 'done', body: text.trim() ? parseXml(text) : null };
}
