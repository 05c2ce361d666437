import { expect } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import type { Visit } from './browser-session.ts';
import type { TestServer } from './test-server.ts';

/**
 * The path of the link in the latest e-mail to an address, once this many have a link.
 * @param start prefix of the path, such as `/m#`
 */
export async function emailedLink(
  server: TestServer,
  email: string,
  start: string,
  count = 1,
): Promise<string> {
  const links = () =>
    server.fakes.mail.inbox(email).flatMap(({ text }) => {
      const all = [...text.matchAll(new RegExp(`${server.url}(/\\S+)`, 'g'))];
      const found = all.map(([, path = '']) => path).find((path) => path.startsWith(start));
      return found ? [found] : [];
    });
  await expect.poll(() => links().length, pollTimeout).toBe(count);
  return links()[count - 1] ?? 'no link';
}

/** Opens a sign-in link and confirms the account. */
export async function openLinkAs(visit: Visit, link: string, email: string): Promise<void> {
  await visit.open(link);
  await expectAccountPrompt(visit, email);
  await visit.tap('Continue');
}

/** Waits for the question that names the link's account. */
export async function expectAccountPrompt({ page }: Visit, email: string): Promise<void> {
  const masked = `${email[0]}…${email.slice(email.lastIndexOf('@'))}`;
  const question = page.getByRole('heading', { name: /^Continue as/ });
  await question.waitFor();
  const sentence = (await question.textContent())?.replace(/[\u2060\u2066\u2069]/g, '');
  expect(sentence).toBe(`Continue as ${masked}?`);
}
