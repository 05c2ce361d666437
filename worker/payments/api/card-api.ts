import type { Context } from 'hono';
import * as v from 'valibot';
import { cardBearer } from '../../accounts/access-token.ts';
import { accountById } from '../../accounts/account-table.ts';
import { gatewayNames } from '../../catalog/rules/gateway-names.ts';
import { createHandlers } from '../../http/handlers.ts';
import { jsonBody, nonceSchema } from '../../http/json-body.ts';
import { isSuspendedBuyer } from '../../invitations/requester-right.ts';
import { accountDatabase } from '../../platform/account-databases.ts';
import type { App } from '../../platform/env.ts';
import { Refusal, throwIfRefused } from '../../platform/errors.ts';
import { minor } from '../../platform/types.ts';
import { type CardUpdate, isFinalUpdate } from '../purchase/card-update.ts';
import { gatewayTraits } from '../purchase/gateway-traits.ts';
import { shownDecline, shownResponse } from '../subscriptions/rules/purchase-view.ts';
import { errorBody } from './attempt-response.ts';
import { cardCounterNamesOf, deviceSchema } from './subscribe-api.ts';

const objectOf = ({ env, var: { account } }: Context<App>) => env.PURCHASES.getByName(account);

/** The card that pays the renewals, the open amount, and the gateway for a new card. */
export const getCard = createHandlers(cardBearer, async (c) => {
  const view = await objectOf(c).card();
  if (!view) return c.json({ data: { card: null, gateway: null } });
  const { gateway, card, due, subscription, next, since } = view;
  const { currency, state, nextPlan, later } = subscription;
  const { price, period } = nextPlan ?? subscription;
  const renewal = { price, period, at: subscription.next?.at ?? null, later };
  const overdue = state === 'past_due';
  return c.json({ data: { card, gateway, due, currency, renewal, next, overdue, since } });
});

/** Verifies without a purchase amount: the bank is asked to add a card. */
const verificationAmount = '0.00';

function answerOf(update: CardUpdate, c: Context<App>) {
  const { id, state, gateway, intentId, secret, payment, declineCode, processorResponse } = update;
  const decline = {
    decline_code: shownDecline(declineCode),
    processor_response: shownResponse(declineCode, processorResponse),
  };
  if (state === 'declined') return { ...errorBody('card_declined', c), ...decline };
  if (state === 'failed') return errorBody('card_update_failed', c);
  if (payment === 'unpaid') return { ...errorBody('card_saved_unpaid', c), ...decline };
  if (state === 'challenged' && gatewayTraits[gateway].verifiesBeforeCharge) {
    return {
      errors: { code: 'action_required', messages: ['User action required'] },
      payment_method_nonce: secret,
      validation_amount: verificationAmount,
    };
  }
  const status = state === 'done' ? 'active' : 'requires_action';
  const intent = { payment_intent_id: intentId, payment_intent_secret: secret };
  return { data: { result_data: { status, event_id: id, payment, ...intent } } };
}

export const getCardUpdate = createHandlers(cardBearer, async (c) => {
  const update = await objectOf(c).cardUpdate(c.req.param('key') ?? '');
  if (!update) throw new Refusal('poll_unknown');
  const isKnown = isFinalUpdate(update) || update.state === 'challenged';
  if (!isKnown) return c.json({ data: { result_data: null } }, 202);
  return c.json(answerOf(update, c));
});

const body = v.object({
  /** A repeated key is the same update. */
  key: v.pipe(v.string(), v.uuid()),
  gateway: v.picklist(gatewayNames),
  payment_method_nonce: nonceSchema,
  device_data: v.nullish(deviceSchema, null),
  /** The open amount shown on the page, in minor units; no more is charged. */
  agreed_amount: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

export const updateCard = createHandlers(cardBearer, jsonBody(body), async (c) => {
  const { key, gateway, payment_method_nonce, device_data, agreed_amount } = c.req.valid('json');
  const account = await accountById(accountDatabase(c.env, c.var.account), c.var.account);
  if (account?.epoch !== c.var.session.epoch) throw new Refusal('unauthorized');
  const response = await objectOf(c).updateCard({
    key,
    gateway,
    nonce: payment_method_nonce,
    deviceData: device_data,
    agreed: minor(agreed_amount),
    isSuspended: await isSuspendedBuyer(c),
    cardCounterNames: await cardCounterNamesOf(c, account.userUuid),
  });
  throwIfRefused(response);
  return c.json({ data: { polling_result_id: key } });
});
