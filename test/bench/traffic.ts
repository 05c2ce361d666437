import type { CDPSession } from 'playwright-core';

/** One response: when it was complete, in ms from the first request, and its bytes with headers. */
export interface Load {
  path: string;
  at: number;
  bytes: number;
}

/** Records the loads of a page from now on. */
export function traffic(cdp: CDPSession): Load[] {
  const loads: Load[] = [];
  const paths = new Map<string, string>();
  let start: number | undefined;
  cdp.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    start ??= timestamp;
    paths.set(requestId, new URL(request.url).pathname);
  });
  cdp.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const at = (timestamp - (start ?? timestamp)) * 1000;
    loads.push({ path: paths.get(requestId) ?? '', at, bytes: encodedDataLength });
  });
  return loads;
}

/** Bytes of some loads. */
export const bytesOf = (loads: readonly Load[]): number =>
  loads.reduce((sum, { bytes }) => sum + bytes, 0);
