import { gatewayNames } from '../../catalog/rules/gateway-names.ts';
import type { Plan, PlanId } from '../../catalog/rules/plans.ts';
import { familyOfPlan, plansText } from '../../catalog/rules/plans-text.ts';
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
  /** What it never sells, which routing knows. */
  unable: PlanId[];
  lines: string[];
  /** Whether it did not say whether it sells an added plan. */
  isSilent: boolean;
}

function wrongLine(title: string, checks: readonly PriceCheck[], creates: boolean): string {
  const [{ problems = [], missing } = {}] = checks;
  const plans = [...new Set(checks.flatMap((one) => one.missing?.plan ?? []))].join(', ');
  const values = missing ? `${plans}; ${missing.fields}` : '';
  if (checks[0] && isToCreate(checks[0], creates))
    return `${title} creates a plan for each of ${checks.length} prices when this is published. If the account does not permit it, create them by hand and publish again: ${values}.`;
  const byHand = values && `. To sell it there, create the plan ${values}; then publish again`;
  return `${title} does not sell ${plansText(checks.map(({ plan }) => plan))}: ${problems.join(', ')}${byHand}.`;
}

function linesOf(
  title: string,
  asked: readonly Plan[],
  checks: readonly PriceCheck[],
  creates: boolean,
): string[] {
  const alike = Map.groupBy(checks.filter(isWrong), (one) =>
    JSON.stringify([familyOfPlan(one.plan), one.problems, one.missing?.fields]),
  );
  const named = new Set(checks.filter(({ price }) => price !== null).map(({ plan }) => plan));
  const free = asked.filter(({ id }) => !named.has(id)).length;
  const right = new Set(checks.filter((one) => !isWrong(one)).map(({ plan }) => plan)).size;
  return [
    ...(named.size > 0 && right > 0 ? [`${title} is set up for ${right} prices.`] : []),
    ...(free > 0 ? [`${title} can charge ${free} prices. Nothing has to be set up.`] : []),
    ...[...alike.values()].map((group) => wrongLine(title, group, creates)),
  ];
}

async function ask(
  env: Env,
  gateway: GatewayName,
  { plans, added, unsold, creates }: Question,
): Promise<OneAnswer> {
  const before = new Set(unsold[gateway]);
  const asked = plans.filter((plan) => added.includes(plan) || before.has(plan.id));
  const { title, bills } = gatewayTraits[gateway];
  const { settles } = gateways[gateway];
  const settled = asked.filter(({ currency }) => settles(env, currency));
  const able = settled.filter(bills);
  const unable = asked.filter((plan) => !able.includes(plan)).map(({ id }) => id);
  if (able.length === 0 && unable.length === 0)
    return { unsold: [], unable, lines: [], isSilent: false };
  const foreign = new Set(
    asked.filter((plan) => !settled.includes(plan)).map((one) => one.currency),
  );
  const weekly = new Set(settled.filter((plan) => !bills(plan)).map(({ family }) => family));
  const never = [
    ...(foreign.size > 0 ? [`${title} cannot charge ${[...foreign].join(', ')}.`] : []),
    ...(weekly.size > 0 ? [`${title} cannot renew ${[...weekly].join(', ')}, by its period.`] : []),
  ];
  try {
    const ids = new Set(able.map(({ id }) => id));
    const all = able.length > 0 ? await gateways[gateway].checkPrices(env, able, creates) : [];
    const checks = all.filter(({ plan }) => ids.has(plan));
    const wrong = checks.filter((one) => isWrong(one) && !isToCreate(one, creates));
    return {
      unsold: [...new Set(wrong.map(({ plan }) => plan))],
      unable,
      lines: [...linesOf(title, able, checks, creates), ...never],
      isSilent: false,
    };
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : 'it did not answer';
    const kept = able.filter(({ id }) => before.has(id)).map(({ id }) => id);
    const isSilent = able.some((plan) => added.includes(plan));
    return { unsold: kept, unable, lines: [`${title}: ${reason}.`, ...never], isSilent };
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
    ({ id }) =>
      answers.length > 0 &&
      answers.every((one) => one.unsold.includes(id) || one.unable.includes(id)),
  );
  const refusal =
    silent.length > 0
      ? `${silent.map(({ name }) => gatewayTraits[name].title).join(' and ')} did not say whether it sells the new plans`
      : nowhere.length > 0
        ? `no payment provider sells ${plansText(nowhere.map(({ id }) => id))}`
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
