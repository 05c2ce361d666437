import { gatewayNames } from '../../catalog/rules/gateway-names.ts';
import type { Plan, PlanId } from '../../catalog/rules/plans.ts';
import type { Documents } from '../../documents/document-set.ts';
import type { Live } from '../../documents/document-store.ts';
import type { Unsold } from '../../documents/manifest.ts';
import { type Offered, offeredAfter } from '../../experiments/rules/offered-plans.ts';
import type { Env } from '../../platform/env.ts';
import { gatewayTraits } from '../purchase/gateway-traits.ts';
import type { GatewayName } from '../purchase/state.ts';
import { gateways, isConfigured } from './index.ts';
import type { PriceCheck } from './settings.ts';

export interface SaleAnswer {
  /** By gateway, the offered plans that it does not sell; empty lists are left out. */
  unsold: Unsold;
  /** One sentence each, for the review. */
  lines: string[];
  /** Why nothing may be published; null if it may. */
  refusal: string | null;
  /** Whether it may be published once a gateway answers. */
  isTemporary: boolean;
}

interface Question extends Offered {
  /** What the live version does not sell. */
  unsold: Unsold;
  /** Whether to create what orders need. */
  creates: boolean;
}

const isToCreate = ({ problems, missing }: PriceCheck, creates: boolean) =>
  !creates && missing !== undefined && problems.length === 1;

const isWrong = ({ price, problems }: PriceCheck) => price !== null && problems.length > 0;

interface OneAnswer {
  unsold: PlanId[];
  lines: string[];
  /** Whether it did not say whether it sells an added plan. */
  isSilent: boolean;
}

function linesOf(
  title: string,
  asked: readonly Plan[],
  checks: readonly PriceCheck[],
  creates: boolean,
) {
  const lines = new Set(
    checks.filter(isWrong).map((check) => {
      const { plan, problems, missing } = check;
      if (isToCreate(check, creates))
        return `${title} creates the ${missing} when this is published. If the account does not permit it, create it by hand and publish again.`;
      const byHand = missing ? `. To sell it there, create the ${missing}; then publish again` : '';
      return `${title} does not sell ${plan}: ${problems.join(', ')}${byHand}.`;
    }),
  );
  const named = new Set(checks.filter(({ price }) => price !== null).map(({ plan }) => plan));
  const free = asked.filter(({ id }) => !named.has(id)).length;
  const right = new Set(checks.filter((one) => !isWrong(one)).map(({ plan }) => plan)).size;
  return [
    ...(named.size > 0 && right > 0 ? [`${title} has what ${right} of the plans need.`] : []),
    ...(free > 0
      ? [`${title} needs nothing for ${free} of the plans: each order contains the price.`]
      : []),
    ...lines,
  ];
}

async function ask(
  env: Env,
  gateway: GatewayName,
  { plans, added, unsold, creates }: Question,
): Promise<OneAnswer> {
  const before = new Set(unsold[gateway]);
  const asked = plans.filter((plan) => added.includes(plan) || before.has(plan.id));
  if (asked.length === 0) return { unsold: [], lines: [], isSilent: false };
  const { title } = gatewayTraits[gateway];
  try {
    const able = asked.filter(({ currency }) => gateways[gateway].settles(env, currency));
    const unable = asked.filter((plan) => !able.includes(plan));
    const currencies = [...new Set(unable.map(({ currency }) => currency))].join(', ');
    const ids = new Set(able.map(({ id }) => id));
    const all = able.length > 0 ? await gateways[gateway].checkPrices(env, able, creates) : [];
    const checks = all.filter(({ plan }) => ids.has(plan));
    const wrong = checks.filter((one) => isWrong(one) && !isToCreate(one, creates));
    return {
      unsold: [...unable.map(({ id }) => id), ...new Set(wrong.map(({ plan }) => plan))],
      lines: [
        ...linesOf(title, able, checks, creates),
        ...(currencies ? [`${title} cannot charge ${currencies}.`] : []),
      ],
      isSilent: false,
    };
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : 'it did not answer';
    const kept = asked.filter(({ id }) => before.has(id)).map(({ id }) => id);
    const isSilent = asked.some((plan) => added.includes(plan));
    return { unsold: kept, lines: [`${title}: ${reason}.`], isSilent };
  }
}

/**
 * Asks each configured gateway whether it can sell the added plans, and those that it could not sell before. What is
 * live already was asked then, so a gateway that does not answer stops only what nobody has asked it.
 */
async function checkSale(env: Env, question: Question): Promise<SaleAnswer> {
  const open = gatewayNames.filter((name) => isConfigured(name, env));
  const answers = await Promise.all(
    open.map(async (name) => ({ name, ...(await ask(env, name, question)) })),
  );
  const lines = answers.flatMap((one) => one.lines);
  const unsold = Object.fromEntries(
    answers.flatMap(({ name, unsold: own }) => (own.length > 0 ? [[name, own]] : [])),
  );
  const silent = answers.filter(({ isSilent }) => isSilent);
  const nowhere = question.added.filter(
    ({ id }) => open.length > 0 && open.every((name) => unsold[name]?.includes(id)),
  );
  const refusal =
    silent.length > 0
      ? `${silent.map(({ name }) => gatewayTraits[name].title).join(' and ')} did not say whether it sells the new plans`
      : nowhere.length > 0
        ? `no payment provider sells ${nowhere.map(({ id }) => id).join(', ')}`
        : null;
  return { unsold, lines, refusal, isTemporary: silent.length > 0 };
}

/** @param next valid documents @param creates whether to create what orders need */
export const askProviders = (
  env: Env,
  { documents, manifest }: Live,
  next: Documents,
  creates: boolean,
): Promise<SaleAnswer> =>
  checkSale(env, {
    ...offeredAfter(documents, next),
    unsold: manifest.config?.unsold ?? {},
    creates,
  });
