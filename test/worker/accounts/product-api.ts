import { vi } from 'vitest';

export const address = 'https://portal.test/api/v3';

/** One call received by the product API. */
export interface ForwardedRequest {
  method: string;
  url: string;
  redirect: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * A product API behind the stubbed `fetch`: every outgoing call of the Worker reaches it, and waits for it only as
 * long as the signal allows.
 */
export function productApi(answer: () => Response | Promise<Response>): ForwardedRequest[] {
  const forwarded: ForwardedRequest[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const { method, url, redirect } = request;
    const headers = Object.fromEntries(request.headers);
    forwarded.push({ method, url, redirect, headers, body: await request.text() });
    const late = new Promise<never>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
    return Promise.race([answer(), late]);
  });
  return forwarded;
}
