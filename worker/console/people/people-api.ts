import * as v from 'valibot';
import { createHandlers } from '../../http/handlers.ts';
import { jsonBody } from '../../http/json-body.ts';
import { amountText } from '../parts/figure-text.ts';
import { findPeopleAnywhere, loadPersonFacts } from './people-table.ts';
import { paymentsOf, refundableOf } from './rules/person.ts';
import { timelineOf } from './rules/timeline.ts';

const body = v.object({ text: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(320)) });

const shownIn = (terms: string | null) =>
  terms === null ? '' : ((JSON.parse(terms) as { text?: string }).text ?? '');

/** Finds accounts by e-mail, account, attempt or payment, with their purchases and history. */
export const searchPeople = createHandlers(jsonBody(body), async (c) => {
  const { people: found } = await findPeopleAnywhere(c.env, c.req.valid('json').text);
  const people = found.map(async ({ account, email }) => {
    const facts = await loadPersonFacts(c.env, account);
    return {
      account,
      email,
      payments: paymentsOf(facts.ledger).map((payment) => ({
        id: payment.id,
        attempt: payment.attempt,
        captured: amountText(payment.captured, payment.currency),
        remaining: amountText(refundableOf(payment), payment.currency),
      })),
      shown: facts.attempts.flatMap(({ id, terms }) => {
        const words = shownIn(terms);
        return words ? [{ attempt: id, words }] : [];
      }),
      timeline: timelineOf(facts, amountText),
    };
  });
  return c.json({ data: await Promise.all(people) });
});
