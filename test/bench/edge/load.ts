import { connect } from 'node:net';

/** The results of a load; times in ms. */
export interface Loaded {
  requests: number;
  /** Responses with another status than 200. */
  failures: number;
  /** Pages that the Worker reports as rendered, and not cached. */
  rendered: number;
  perSecond: number;
  p50: number;
  p99: number;
}

export interface Load {
  port: number;
  /** Ends the load after this time. */
  ms?: number;
  requests?: number;
  connections?: number;
  /** The bytes of the request with that number. */
  request: (number: number) => string;
}

/** Missing bytes of a partial response; null while its head is incomplete. */
function left(begun: string): number | null {
  const end = begun.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(begun.slice(0, end))?.[1];
  // A page that is streamed ends with an empty chunk.
  if (length === undefined) return begun.endsWith('\r\n0\r\n\r\n') ? 0 : null;
  return Number(length) - (begun.length - end - 4);
}

/**
 * Sends requests over persistent connections, each as soon as its connection is free. It parses only the end of a
 * response, so that one core sends more requests than workerd can answer.
 */
export function load({ port, ms, requests, connections = 16, request }: Load): Promise<Loaded> {
  const start = performance.now();
  const times: number[] = [];
  let sent = 0;
  let failures = 0;
  let rendered = 0;
  const shouldContinue = () =>
    (ms === undefined || performance.now() - start < ms) &&
    (requests === undefined || sent < requests);
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true);
      let at = 0;
      let begun = '';
      let rest: number | null = null;
      const sendNext = () => {
        if (!shouldContinue()) {
          socket.destroy();
          return resolve();
        }
        begun = '';
        rest = null;
        at = performance.now();
        socket.write(request(sent++));
      };
      socket.on('connect', sendNext).on('error', reject);
      socket.on('data', (bytes) => {
        if (rest === null) {
          begun += bytes.toString('latin1');
          rest = left(begun);
        } else rest -= bytes.length;
        if (rest !== 0) return;
        times.push(performance.now() - at);
        if (!begun.startsWith('HTTP/1.1 200')) failures += 1;
        if (begun.includes('cache;desc=miss')) rendered += 1;
        sendNext();
      });
    });
  return Promise.all(Array.from({ length: connections }, one)).then(() => {
    times.sort((a, b) => a - b);
    const part = (share: number) => times[Math.floor(times.length * share)] ?? 0;
    const seconds = (performance.now() - start) / 1000;
    const perSecond = times.length / seconds;
    const [p50, p99] = [part(0.5), part(0.99)];
    return { requests: times.length, failures, rendered, perSecond, p50, p99 };
  });
}
