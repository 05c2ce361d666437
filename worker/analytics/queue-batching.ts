import type { MessageSendRequest } from '@cloudflare/workers-types';

/** Below the limits of Queues, 128 KB a message and 256 KB a call, to leave room for metadata. */
const maxMessageBytes = 120_000;
const maxCallBytes = 240_000;
const maxMessagesPerCall = 100;

const encoder = new TextEncoder();

export const byteSize = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

/** Groups in order, of at most `count` items and `bytes`; an item that is too large stands alone. */
function grouped<One>(all: readonly One[], bytes: number, count = Number.POSITIVE_INFINITY) {
  const groups: One[][] = [];
  let left = 0;
  for (const one of all) {
    const size = byteSize(one) + 1;
    const last = groups.at(-1);
    if (last && size <= left && last.length < count) last.push(one);
    else groups.push([one]);
    left = (last === groups.at(-1) ? left : bytes) - size;
  }
  return groups;
}

/** Parts that each fit into one message. @param overheadBytes of the message's other content */
export const splitBySize = <One>(all: readonly One[], overheadBytes: number): One[][] =>
  grouped(all, maxMessageBytes - overheadBytes);

/** Groups messages, in order, into calls that a queue accepts. */
export const sendBatches = <Body>(
  messages: readonly MessageSendRequest<Body>[],
): MessageSendRequest<Body>[][] => grouped(messages, maxCallBytes, maxMessagesPerCall);
