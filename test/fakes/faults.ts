import { bodyText } from './body-text.ts';

type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

export interface Faults {
  /** Share of requests that fail, 0 to 1. */
  rate: number;
  /** Numbers in [0, 1); the same numbers cause the same faults. Two are drawn for each fault. */
  random: () => number;
}

const lost = () => new TypeError('network connection lost');

/**
 * A third of the failing requests never arrive, a third lose their reply, a third get a 500 unexecuted, of which half
 * say nothing: a proxy answers so.
 */
export function withFaults(fetch: Fetch, faults: Faults): Fetch {
  return async (input, init) => {
    const { rate, random } = faults;
    if (random() >= rate) return fetch(input, init);
    const kind = random() * 3;
    if (kind < 1) throw lost();
    if (kind < 2) {
      await fetch(input, init);
      throw lost();
    }
    const error = { type: 'api_error', message: 'An unknown error occurred' };
    const body = kind < 2.5 ? { error } : {};
    return Response.json(body, { status: 500, headers: { 'request-id': 'req_fault' } });
  };
}

/** Leaves sales at Braintree unaffected: a lost sale is not retried, and stays unknown for minutes. */
export function withFaultsButSales(fetch: Fetch, faults: Faults): Fetch {
  const faulty = withFaults(fetch, faults);
  return async (input, init) => {
    const request = new Request(input, init);
    const sale = (await bodyText(request.clone())).includes('mutation Charge(');
    return sale ? fetch(request) : faulty(request);
  };
}
