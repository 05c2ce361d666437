import { vi } from 'vitest';

/** A body that stalls until the caller gives up. */
const halted = (signal: AbortSignal | null | undefined): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{'));
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    },
  });

const answers: Record<string, (init: RequestInit) => Response | Promise<Response>> = {
  'a 200 with a page': () =>
    new Response('\n<!doctype html><title>Log in</title>', {
      headers: { 'content-type': 'text/html' },
    }),
  'an empty 200': () => new Response(''),
  'a 200 with null': () => new Response('null'),
  'a 200 with half of it': () => new Response('{"id":"re_1","sid":"SM1","events_rec'),
  'a 200 that does not end': ({ signal }) => new Response(halted(signal)),
  'no answer': ({ signal }) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    }),
};

/** Responses with status 200 that confirm nothing, and no response. */
export const misleadingResponses = Object.keys(answers);

/**
 * Gives this response to every fetch of the Worker, with timeouts shortened a thousandfold. Calls are counted by host,
 * because an object of an earlier file may still call its gateway.
 */
export function stubMisleadingResponse(name: string): { callsTo(host: string): number } {
  const { timeout } = AbortSignal;
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 1000));
  const answer = vi.fn(async (_: string, init: RequestInit) => answers[name]?.(init));
  vi.stubGlobal('fetch', answer);
  const isAt =
    (host: string) =>
    ([address]: [string, RequestInit]) =>
      URL.parse(String(address))?.host === host;
  return { callsTo: (host) => answer.mock.calls.filter(isAt(host)).length };
}
