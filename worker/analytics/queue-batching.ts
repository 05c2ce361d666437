import type { MessageSendRequest } from '@cloudflare/workers-types';

/** What a queue takes, in bytes, with room for its own words: of one message, and of one call. */
const message = 120_000;
const call = 240_000;
/** And how many messages of one call. */
const most = 100;

const encoder = new TextEncoder();

/** Bytes of a value as JSON. */
export const byteSize = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

/** Groups in order, each of at most `count` and, unless one is larger by itself, of so many bytes. */
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

/** Parts that fit into a message each, beside what else it says. @param beside bytes of that */
export const splitBySize = <One>(all: readonly One[], beside: number): One[][] =>
  grouped(all, message - beside);

/** Messages in calls that a queue takes, in order. */
export const sendBatches = <Body>(
  messages: readonly MessageSendRequest<Body>[],
): MessageSendRequest<Body>[][] => grouped(messages, call, most);
