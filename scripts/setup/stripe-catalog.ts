import Stripe from 'stripe';
import { decimal } from '../../locales/format/currency.ts';
import type { Catalog } from '../../worker/catalog/rules/catalog.ts';
import type { Plan } from '../../worker/catalog/rules/plans.ts';
import {
  type StripeRecurrence,
  stripeRecurrence,
} from '../../worker/payments/gateways/stripe/recurring.ts';

export interface StripeContext {
  stripe: Stripe;
  catalog: Catalog;
  /** Whether Stripe Tax calculates the tax included in each price. */
  taxed: boolean;
  plan: boolean;
  print: (line: string) => void;
}

/** Products do not depend on the currency. */
const everyPlan = (catalog: Catalog): Plan[] => catalog.plansIn(['USD']);

/**
 * Of more plans `STRIPE_PRICES` would not hold the ids: a variable has at most 5 KB
 * (developers.cloudflare.com/workers/platform/limits). Their orders contain the price.
 */
const namedPlans = (catalog: Catalog): Plan[] =>
  catalog.plansIn(catalog.currencies.filter((one) => one === 'USD' || one === 'EUR'));

/** The product's id, which we choose. Plans with the same name at the provider share a product. */
export function productIdOf({ productId }: Plan, catalog: Catalog): string {
  const first = everyPlan(catalog).find((plan) => plan.productId === productId);
  return `funnel_${first?.product}`;
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    const isRefused = error instanceof Stripe.errors.StripeInvalidRequestError;
    if (isRefused && error.code === 'resource_missing') return null;
    throw error;
  }
}

const pastTense = {
  archive: 'Archived',
  create: 'Created',
  delete: 'Deleted',
  register: 'Registered',
  store: 'Stored',
  'turn on': 'Turned on',
  update: 'Updated',
  write: 'Wrote',
};

/** Makes a change and reports it; a plan only reports it. @returns null for a plan */
export async function change<T>(
  { plan, print }: Pick<StripeContext, 'plan' | 'print'>,
  verb: keyof typeof pastTense,
  object: string,
  act: () => Promise<T>,
): Promise<T | null> {
  if (plan) {
    print(`Would ${verb} ${object}.`);
    return null;
  }
  const result = await act();
  print(`${pastTense[verb]} ${object}.`);
  return result;
}

export async function ensureProducts(context: StripeContext): Promise<void> {
  const { stripe, catalog } = context;
  const plans = everyPlan(catalog);
  const byId = new Map(plans.map((plan) => [productIdOf(plan, catalog), plan.productId]));
  for (const [id, name] of byId) {
    const found = await unlessMissing(stripe.products.retrieve(id));
    if (!found) {
      await change(context, 'create', `product "${name}"`, () =>
        stripe.products.create({ id, name }),
      );
    } else if (found.name !== name || !found.active) {
      await change(context, 'update', `product ${id} to be active and named "${name}"`, () =>
        stripe.products.update(id, { name, active: true }),
      );
    }
  }
}

interface Wanted {
  key: string;
  plan: Plan;
  amount: number;
  recurring: { interval: 'day' | StripeRecurrence['interval']; interval_count: number } | null;
}

/** The price of each renewal, or of the single payment. */
const renewalOf = (plan: Plan): Wanted => ({
  key: plan.id,
  plan,
  amount: plan.price,
  recurring: plan.period === 'once' ? null : stripeRecurrence(plan.period),
});

/** The price of a paid intro, for a trial offer. */
const introOf = (plan: Plan): Wanted => ({
  key: `${plan.id}_intro`,
  plan,
  amount: plan.today,
  recurring: { interval: 'day', interval_count: plan.introDays },
});

const isAsWanted = (
  price: Stripe.Price,
  { plan, amount, recurring }: Wanted,
  { catalog, taxed }: StripeContext,
) =>
  price.active &&
  !(taxed && price.tax_behavior === 'exclusive') &&
  price.unit_amount === amount &&
  price.currency === plan.currency.toLowerCase() &&
  price.product === productIdOf(plan, catalog) &&
  price.recurring?.interval === recurring?.interval &&
  price.recurring?.interval_count === recurring?.interval_count;

const maxLookupKeys = 10;

async function pricesByKey(stripe: Stripe, keys: readonly string[]) {
  const found = new Map<string, Stripe.Price>();
  for (let at = 0; at < keys.length; at += maxLookupKeys) {
    const lookup_keys = keys.slice(at, at + maxLookupKeys);
    const { data } = await stripe.prices.list({ lookup_keys, limit: 100 });
    for (const price of data) if (price.lookup_key) found.set(price.lookup_key, price);
  }
  return found;
}

/** A price cannot be changed: a new one takes over its lookup key, and the old one is archived. */
async function ensurePrices(context: StripeContext, wanted: readonly Wanted[]) {
  const { stripe, taxed, catalog } = context;
  const found = await pricesByKey(
    stripe,
    wanted.map(({ key }) => key),
  );
  const ids: Record<string, string> = {};
  for (const each of wanted) {
    const { key, plan, amount, recurring } = each;
    const existing = found.get(key);
    if (existing && isAsWanted(existing, each, context)) {
      ids[key] = existing.id;
      if (taxed && existing.tax_behavior !== 'inclusive') {
        await change(context, 'update', `price ${key} to include tax`, () =>
          stripe.prices.update(existing.id, { tax_behavior: 'inclusive' }),
        );
      }
      continue;
    }
    const sum = `${decimal(amount, plan.currency)} ${plan.currency}`;
    const made = await change(context, 'create', `price ${key} of ${sum}`, () =>
      stripe.prices.create({
        lookup_key: key,
        transfer_lookup_key: true,
        product: productIdOf(plan, catalog),
        currency: plan.currency.toLowerCase(),
        unit_amount: amount,
        tax_behavior: 'inclusive',
        ...(recurring && { recurring }),
        metadata: { funnel: key },
      }),
    );
    if (made) ids[key] = made.id;
  }
  const current = new Set(Object.values(ids));
  const keys = new Set(wanted.map(({ key }) => key));
  for (const product of new Set(wanted.map(({ plan }) => productIdOf(plan, catalog)))) {
    for await (const { id, metadata } of stripe.prices.list({
      product,
      active: true,
      limit: 100,
    })) {
      if (!keys.has(metadata.funnel ?? '') || current.has(id)) continue;
      await change(context, 'archive', `price ${id} of ${metadata.funnel}`, () =>
        stripe.prices.update(id, { active: false }),
      );
    }
  }
  return ids;
}

/** @returns price ids by plan, in the format of `STRIPE_PRICES` */
export const ensureRenewalPrices = (context: StripeContext): Promise<Record<string, string>> =>
  ensurePrices(context, namedPlans(context.catalog).map(renewalOf));

const idOf = (value: string | { id: string } | undefined) =>
  typeof value === 'object' ? value.id : value;

/** @param renewals price ids by plan @returns ids by plan, in the format of `STRIPE_TRIAL_OFFERS` */
export async function ensureTrialOffers(
  context: StripeContext,
  renewals: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const { stripe } = context;
  const offers: Stripe.ProductCatalog.TrialOffer[] = [];
  for await (const offer of stripe.productCatalog.trialOffers.list({ limit: 100 })) {
    offers.push(offer);
  }
  const intros = namedPlans(context.catalog).filter(({ introDays }) => introDays > 0);
  const introIds = await ensurePrices(context, intros.map(introOf));
  const ids: Record<string, string> = {};
  for (const { id } of intros) {
    const [price = '', after = ''] = [introIds[`${id}_intro`], renewals[id]];
    const ours = offers.filter(({ active, nickname }) => active && nickname === id);
    const current = ours.find(
      (offer) =>
        idOf(offer.price) === price && idOf(offer.end_behavior.transition?.price) === after,
    );
    const made =
      current ??
      (await change(context, 'create', `trial offer of ${id}`, () =>
        stripe.productCatalog.trialOffers.create({
          nickname: id,
          price,
          duration: { type: 'relative', relative: { iterations: 1 } },
          end_behavior: { transition: { price: after } },
        }),
      ));
    if (made) ids[id] = made.id;
    for (const offer of ours.filter((each) => each.id !== made?.id)) {
      await change(context, 'archive', `trial offer ${offer.id} of ${id}`, () =>
        stripe.productCatalog.trialOffers.update(offer.id, { active: false }),
      );
    }
  }
  return ids;
}

/** The built-in coupons, which support can grant by hand: a purchase creates its own copy. */
export async function ensureCoupons(context: StripeContext): Promise<void> {
  const { stripe, print, catalog } = context;
  const coupons = new Map(
    everyPlan(catalog).flatMap(({ coupon }) => (coupon ? [[coupon.code, coupon.percent]] : [])),
  );
  for (const [id, percent_off] of coupons) {
    const found = await unlessMissing(stripe.coupons.retrieve(id));
    if (!found) {
      await change(context, 'create', `coupon ${id} of ${percent_off} %`, () =>
        stripe.coupons.create({ id, name: id, percent_off, duration: 'forever' }),
      );
    } else if (found.percent_off !== percent_off) {
      print(
        `Coupon ${id} takes ${found.percent_off} % off, not ${percent_off} %. Delete it, and run this again.`,
      );
    }
  }
}
