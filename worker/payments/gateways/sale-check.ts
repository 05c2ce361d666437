import { gatewayNames } from '../../catalog/rules/gateway-names.ts';
import type { PlanId } from '../../catalog/rules/plans.ts';
import { familyOfPlan, plansText } from '../../catalog/rules/plans-text.ts';
import type { Documents } from '../../documents/document-set.ts';
import type { Live } from '../../documents/live-documents.ts';
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
  /** What to create where an account does not let us. */
  byHand: string[];
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
  /** What the publication creates. */
  created?: readonly PriceCheck[];
  /** Whether it sells all that it was asked. */
  isReady?: boolean;
  /** Whether it did not say whether it sells an added plan. */
  isSilent: boolean;
}

function valuesOf(checks: readonly PriceCheck[]): string {
  const plans = [...new Set(checks.flatMap((one) => one.missing?.plan ?? []))].join(', ');
  const fields = checks[0]?.missing?.fields;
  return fields ? `${plans}; ${fields}` : '';
}

function wrongLine(title: string, checks: readonly PriceCheck[]): string {
  const [{ problems = [] } = {}] = checks;
  const values = valuesOf(checks);
  const byHand = values && `. Create ${values}; then publish again`;
  return `${title} does not sell ${plansText(checks.map(({ plan }) => plan))}: ${problems.join(', ')}${byHand}.`;
}

const alike = (checks: readonly PriceCheck[]): PriceCheck[][] => [
  ...Map.groupBy(checks, (one) =>
    JSON.stringify([familyOfPlan(one.plan), one.problems, one.missing?.fields]),
  ).values(),
];

/** Such as `Nothing to do at Stripe and Braintree.` */
function readyLines(answers: readonly (OneAnswer & { title: string })[]): string[] {
  const ready = answers.flatMap(({ isReady, title }) => (isReady ? [title] : []));
  return [
    ...(ready.length > 0 ? [`Nothing to do at ${ready.join(' and ')}.`] : []),
    ...answers.flatMap(({ created, title }) =>
      created?.length ? [`${title} creates ${created.length} plans when this is published.`] : [],
    ),
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
    const created = checks.filter((one) => isWrong(one) && isToCreate(one, creates));
    const wrong = checks.filter((one) => isWrong(one) && !created.includes(one));
    return {
      unsold: [...new Set(wrong.map(({ plan }) => plan))],
      unable,
      lines: [...alike(wrong).map((group) => wrongLine(title, group)), ...never],
      created,
      isReady: able.length > 0 && wrong.length === 0,
      isSilent: false,
    };
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : 'it did not answer';
    const kept = able.filter(({ id }) => before.has(id)).map(({ id }) => id);
    const isSilent = able.some((plan) => added.includes(plan));
    const lines = [`${title}: ${reason}.`, ...never];
    return { unsold: kept, unable, lines, isSilent };
  }
}

/**
 * Asks each configured gateway whether it can sell the added plans, and those that it could not sell before. What is
 * live already was asked then, so a gateway that does not answer stops only what nobody has asked it.
 */
async function checkSale(env: Env, question: Question): Promise<SaleAnswer> {
  const open = gatewayNames.filter((name) => isConfigured(name, env));
  const answers = await Promise.all(
    open.map(async (name) => ({
      name,
      title: gatewayTraits[name].title,
      ...(await ask(env, name, question)),
    })),
  );
  const lines = [...readyLines(answers), ...answers.flatMap((one) => one.lines)];
  const byHand = answers.flatMap(({ title, created = [] }) =>
    alike(created).map((group) => `${title}: ${valuesOf(group)}.`),
  );
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
      ? `${silent.map(({ title }) => title).join(' and ')} did not say whether it sells the new plans`
      : nowhere.length > 0
        ? `no payment provider sells ${plansText(nowhere.map(({ id }) => id))}`
        : null;
  return { unsold, lines, byHand, refusal, isTemporary: silent.length > 0 };
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
