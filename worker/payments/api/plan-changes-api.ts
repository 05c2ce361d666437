import type { Context } from 'hono';
import * as v from 'valibot';
import { bearer } from '../../accounts/access-token.ts';
import { createHandlers } from '../../http/handlers.ts';
import { jsonBody, nonceSchema } from '../../http/json-body.ts';
import { isSuspendedBuyer } from '../../invitations/requester-right.ts';
import type { App } from '../../platform/env.ts';
import { Refusal, throwIfRefused } from '../../platform/errors.ts';
import { attemptIdOf } from '../../platform/types.ts';
import { changeKinds, type PlanChange } from '../purchase/change-state.ts';
import { isPending } from '../purchase/plan-change.ts';
import type { StoredChange } from '../storage/stored-records.ts';
import { awaitKnown } from './attempt-response.ts';
import { ownedBy, ownedViews, targetsOf } from './my-purchases-api.ts';

const awaitTimeoutMs = 20_000;

const objectOf = (c: Context<App>) => c.env.PURCHASES.getByName(c.var.account);

/** A reported requester may still pause. @throws Refusal `account_suspended` */
async function refuseSuspended(c: Context<App>, kind: PlanChange['kind']): Promise<void> {
  if (kind !== 'pause' && (await isSuspendedBuyer(c))) throw new Refusal('account_suspended');
}

/** A change as its owner sees it. Amounts in minor units, times in ms since 1970. */
const viewOf = ({ id, kind, plan, amount, credit, takesEffectAt, until, next }: StoredChange) => ({
  ...{ id, kind: kind === 'agree' ? 'switch' : kind, plan, amount, credit, until, next },
  takes_effect_at: takesEffectAt,
});

const changeBody = v.object({
  kind: v.picklist(changeKinds),
  plan: v.nullish(v.pipe(v.string(), v.maxLength(64)), null),
  months: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3)), 1),
});

export const postQuote = createHandlers(bearer, jsonBody(changeBody), async (c) => {
  const body = c.req.valid('json');
  await refuseSuspended(c, body.kind);
  const attempt = attemptIdOf(c.req.param('attempt') ?? '');
  const owned = (await ownedBy(c)).find(({ subscription }) => subscription.attempt === attempt);
  const targets = owned ? targetsOf(c, owned.subscription) : [];
  const quote = await objectOf(c).quoteChange(attempt, { ...body, targets });
  return c.json({ data: { change: viewOf(throwIfRefused(quote).change) } });
});

const confirmed = v.object({
  /** Verified by the bank, for a change that it challenged. */
  payment_method_nonce: v.nullish(nonceSchema, null),
});

const isResultKnown = (change: StoredChange | undefined): change is StoredChange =>
  !!change && (!isPending(change) || change.state === 'challenged');

/** A repeated id is the same change. 202 while its result is not known. */
export const postConfirmation = createHandlers(bearer, jsonBody(confirmed), async (c) => {
  const object = objectOf(c);
  const id = c.req.param('change') ?? '';
  const { payment_method_nonce: nonce } = c.req.valid('json');
  const found = await object.planChange(id);
  if (found?.state === 'quoted') await refuseSuspended(c, found.kind);
  const attempt = attemptIdOf(c.req.param('attempt') ?? '');
  throwIfRefused(await object.confirmChange(attempt, id, nonce));
  const change = await awaitKnown(() => object.planChange(id), isResultKnown, awaitTimeoutMs);
  const state = isResultKnown(change) ? change.state : 'pending';
  const subscriptions = await ownedViews(c);
  return c.json({ data: { state, subscriptions } }, isResultKnown(change) ? 200 : 202);
});
