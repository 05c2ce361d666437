import { aligned } from '../text-table.ts';
import type { AdminContext } from './admin-client.ts';

interface Person {
  account: string;
  /** Empty for a deleted account. */
  email: string;
  payments: { id: string; attempt: string; captured: string; remaining: string }[];
  shown: { attempt: string; words: string }[];
  /** Times in ms since 1970, the newest first. */
  timeline: { at: number; text: string }[];
}

const indent = (text: string) => text.split('\n').map((line) => `  ${line}`);

function linesOf({ account, email, payments, shown, timeline }: Person): string[] {
  const rows = payments.map(({ id, attempt, captured, remaining }) => [
    id,
    attempt,
    captured,
    remaining,
  ]);
  return [
    `Account ${account}, ${email || 'deleted'}`,
    ...(rows.length > 0
      ? aligned([['payment', 'attempt', 'paid', 'left to refund'], ...rows])
      : ['No payments.']),
    ...timeline.map(({ at, text }) => `${new Date(at).toISOString()}  ${text}`),
    ...shown.flatMap(({ attempt, words }) => [
      `Shown beside the button of ${attempt}:`,
      ...indent(words),
    ]),
  ];
}

/** @param text an e-mail address, or the id of an account, an attempt or a payment */
export async function printPeople(text: string, { site, print }: AdminContext): Promise<void> {
  const people = await site.post<Person[]>('/people', { text });
  if (people.length === 0) return print('No account was found.');
  for (const person of people) for (const line of linesOf(person)) print(line);
}
