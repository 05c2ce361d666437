/** Below the limits of Queues, 128 KB a message and 256 KB a call, to leave room for metadata. */
const maxMessageBytes = 120_000;
const maxCallBytes = 240_000;
const maxMessagesPerCall = 100;

const encoder = new TextEncoder();

export const byteSize = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

/** In order; an item that is too large gets its own batch. */
function grouped<One>(all: readonly One[], bytes: number, count = Number.POSITIVE_INFINITY) {
  const groups: One[][] = [];
  let bytesLeft = bytes;
  for (const one of all) {
    const size = byteSize(one) + 1;
    const last = groups.at(-1);
    if (last && size <= bytesLeft && last.length < count) last.push(one);
    else groups.push([one]);
    bytesLeft = (last === groups.at(-1) ? bytesLeft : bytes) - size;
  }
  return groups;
}

export const splitBySize = <One>(all: readonly One[], overheadBytes: number): One[][] =>
  grouped(all, maxMessageBytes - overheadBytes);

export const sendBatches = <One extends { body: unknown }>(messages: readonly One[]): One[][] =>
  grouped(messages, maxCallBytes, maxMessagesPerCall);
