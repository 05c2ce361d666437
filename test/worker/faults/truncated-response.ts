import { vi } from 'vitest';

/** An answer that begins, and then comes no further until whoever asked gives up. */
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

/** Names of what is no yes, though all but one look like one at first. */
export const lies = Object.keys(answers);

/** Has every call of the Worker answered so, and given up soon; tells how many there were. */
export function lie(name: string): { calls(): number } {
  const { timeout } = AbortSignal;
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 1000));
  const answer = vi.fn(async (_: string, init: RequestInit) => answers[name]?.(init));
  vi.stubGlobal('fetch', answer);
  return { calls: () => answer.mock.calls.length };
}
