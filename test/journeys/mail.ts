import { expect } from 'vitest';
import type { House } from './house.ts';

/** Waits for the mails to an address to be so many; tells the path that the last one's link leads to. */
export async function linkMailed(house: House, email: string, count = 1): Promise<string> {
  const texts = () => house.fakes.mail.inbox(email).map(({ text }) => text);
  await expect.poll(() => texts().length, { timeout: 20_000 }).toBe(count);
  const link = new RegExp(`${house.url}(/\\S+)`).exec(texts().at(-1) ?? '')?.[1];
  return link ?? 'no link';
}
