import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import type { Answered } from '../answers.ts';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { hashOf } from '../storage/codes.ts';
import { personOf } from '../storage/invitations.ts';
import { jsonBody } from './body.ts';

const code = v.pipe(v.string(), v.regex(/^[\w-]{22}$/));
const withCode = v.object({ code });
const within = (most: number) => v.pipe(v.number(), v.minValue(-most), v.maxValue(most));
const withPosition = v.object({
  code,
  position: v.object({
    latitude: within(90),
    longitude: within(180),
    accuracy: v.pipe(v.number(), v.minValue(0), v.maxValue(100_000)),
  }),
});
const withReport = v.object({
  code,
  report: v.boolean(),
  everyone: v.optional(v.boolean(), false),
});

/** No code of ours looks like that. */
const unknown = { code: 'invitation_unknown' } as const;

type Object = ReturnType<App['Bindings']['INVITATIONS']['getByName']>;

/**
 * Has the object of a code's person do something, and answers what the page shows then. The browser
 * that made a link is refused: who asks must not answer.
 */
async function answered(
  c: Context<App>,
  written: string,
  act: (person: Object, hash: string) => Promise<Answered>,
) {
  const hash = await hashOf(written);
  const found = await personOf(c.env.DB, hash, c.var.visitor.uuid, Date.now());
  if (found === null) throw new Refusal('invitation_unknown');
  if (found.own) throw new Refusal('invitation_own');
  const answer = await act(c.env.INVITATIONS.getByName(found.person), hash);
  if ('refusal' in answer) throw new Refusal(answer.refusal);
  return c.json({ data: answer.view }, 200, { 'Cache-Control': 'no-store' });
}

/** What the located person does on their page. Who has the code is the person; there is no account. */
export const invited = new Hono<App>()
  .post('/invitations/open', jsonBody(withCode, unknown), (c) =>
    answered(c, c.req.valid('json').code, (person, hash) => person.open(hash)),
  )
  .post('/invitations/accept', jsonBody(withPosition, unknown), (c) => {
    const { code, position } = c.req.valid('json');
    const here = { ...position, at: Date.now() };
    return answered(c, code, (person, hash) => person.accept(hash, here));
  })
  .post('/invitations/decline', jsonBody(withCode, unknown), (c) =>
    answered(c, c.req.valid('json').code, (person, hash) => person.decline(hash)),
  )
  .post('/invitations/stop', jsonBody(withCode, unknown), (c) =>
    answered(c, c.req.valid('json').code, (person, hash) => person.stop(hash)),
  )
  .post('/invitations/block', jsonBody(withReport, unknown), (c) => {
    const { code, ...how } = c.req.valid('json');
    return answered(c, code, (person, hash) => person.block(hash, how));
  });
