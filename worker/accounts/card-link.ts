import type { D1Database } from '@cloudflare/workers-types';
import * as v from 'valibot';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { codeDatabase } from '../platform/account-databases.ts';
import { dayMs } from '../platform/durations.ts';
import { Refusal } from '../platform/errors.ts';
import { cardToken } from './access-token.ts';
import type { KnownAccount } from './account-table.ts';
import { codeSchema } from './app-link-api.ts';
import { checkCode } from './check-code.ts';
import { isStored, redeemCode, storeCode } from './one-time-codes.ts';

const lifetimeMs = dayMs;

/** The code opens only the card page. A retry gets the same code. @param codes by the current secret, and by the previous one */
export async function cardLinkCode(
  db: D1Database,
  { id: account, epoch }: Pick<KnownAccount, 'id' | 'epoch'>,
  codes: readonly string[],
  now: number,
): Promise<string> {
  for (const code of codes) if (await isStored(db, code)) return code;
  const [code = ''] = codes;
  await storeCode(db, code, { account, epoch, purpose: 'card', lifetimeMs }, now);
  return code;
}

const withCode = jsonBody(v.object({ code: codeSchema }));

export const checkCardLink = createHandlers(withCode, async (c) => {
  const { state, email } = await checkCode(c, c.req.valid('json').code, ['card']);
  return c.json({ data: { state, email } });
});

/** Consumes the link. Only `cardBearer` accepts the returned token. */
export const openCardLink = createHandlers(withCode, async (c) => {
  const { code } = c.req.valid('json');
  const redeemed = await redeemCode(codeDatabase(c.env, code), code, 'card', Date.now());
  if (redeemed.kind !== 'redeemed') throw new Refusal(`card_link_${redeemed.kind}`);
  const { account, epoch } = redeemed;
  return c.json({ data: { card_token: await cardToken(c.env, { account, epoch }) } });
});
