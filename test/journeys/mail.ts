import { expect } from 'vitest';
import { patience } from '../patience.ts';
import type { House } from './house.ts';

/**
 * The path of the link in a mail to this address, once so many mails have one.
 *
 * @param start what the path begins with, `/m#`
 */
export async function linkMailed(
  house: House,
  email: string,
  start: string,
  count = 1,
): Promise<string> {
  const links = () =>
    house.fakes.mail.inbox(email).flatMap(({ text }) => {
      const found = new RegExp(`${house.url}(/\\S+)`).exec(text)?.[1];
      return found?.startsWith(start) ? [found] : [];
    });
  await expect.poll(() => links().length, patience).toBe(count);
  return links()[count - 1] ?? 'no link';
}
