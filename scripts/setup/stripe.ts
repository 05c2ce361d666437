import Stripe from 'stripe';
import { usesStripeTax } from '../../worker/payments/gateways/tax-settings.ts';
import type { Env } from '../../worker/platform/env.ts';
import { CommandError } from '../command.ts';
import {
  change,
  ensureCoupons,
  ensureProducts,
  ensureRenewalPrices,
  ensureTrialOffers,
  productIdOf,
  type StripeContext,
} from './stripe-catalog.ts';
import {
  ensureMethods,
  ensureWalletDomain,
  ensureWebhook,
  type SecretStore,
  type StripeMethodName,
} from './stripe-site.ts';

export interface SetUp extends Omit<StripeContext, 'taxed'> {
  vars: Partial<Env>;
  secretKey: string;
  publishableKey: string;
  /** Whether intros become trial offers; existing trial offers stay. */
  trialOffers: boolean;
  /** Payment methods to turn on beside cards; none is turned off. */
  methods: readonly StripeMethodName[];
  site: string;
  secrets: SecretStore;
  writeVars: (values: Record<string, string>) => void;
  /** Publishes Apple Pay's file under `/.well-known`. */
  publishAppleFile: () => Promise<void>;
}

const modeOf = (key: string) => /^[a-z]+_(live|test)_/.exec(key)?.[1];

/** @throws CommandError for keys that do not belong together */
function checkKeys({ secretKey, publishableKey }: SetUp): void {
  if (!/^[sr]k_/.test(secretKey)) throw new CommandError('The secret key begins with sk_ or rk_.');
  if (!/^pk_/.test(publishableKey)) throw new CommandError('The publishable key begins with pk_.');
  if (modeOf(secretKey) === modeOf(publishableKey)) return;
  throw new CommandError('One key is for test mode, the other for live mode.');
}

function newVars(
  { vars, publishableKey, catalog }: SetUp,
  ids: Record<'prices' | 'offers', object>,
) {
  const [first] = catalog.plansIn(['USD']);
  const values = {
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_PRODUCT: vars.STRIPE_PRODUCT ?? (first ? productIdOf(first, catalog) : ''),
    STRIPE_PRICES: JSON.stringify(ids.prices),
    ...(Object.keys(ids.offers).length > 0 && { STRIPE_TRIAL_OFFERS: JSON.stringify(ids.offers) }),
  };
  const isNew = ([name, value]: [string, string]) => vars[name as keyof Env] !== value;
  return Object.fromEntries(Object.entries(values).filter(isNew));
}

/** Only the account's owner can activate it, because the address and the registrations are legal facts. */
async function checkTax({ stripe, print }: StripeContext): Promise<void> {
  const { status, status_details: details } = await stripe.tax.settings.retrieve();
  if (status === 'active') return;
  const missing = details.pending?.missing_fields?.join(', ') ?? 'the settings';
  print(`Stripe Tax is not active. Complete ${missing} in the dashboard: Settings, Tax.`);
}

/** Makes the Stripe account match the catalog. A second run continues after a failure, and otherwise changes nothing. */
export async function setUpStripe(settings: SetUp): Promise<void> {
  const { plan, print, site, secrets, secretKey, vars } = settings;
  checkKeys(settings);
  const lines: string[] = [];
  const context: StripeContext = {
    ...settings,
    taxed: usesStripeTax(vars),
    print: (line) => {
      lines.push(line);
      print(line);
    },
  };
  try {
    if (context.taxed) await checkTax(context);
    await ensureProducts(context);
    const prices = await ensureRenewalPrices(context);
    const wantsOffers = settings.trialOffers || Boolean(vars.STRIPE_TRIAL_OFFERS);
    const offers = wantsOffers ? await ensureTrialOffers(context, prices) : {};
    await ensureCoupons(context);
    const values = newVars(settings, { prices, offers });
    const names = Object.keys(values);
    if (names.length > 0) {
      await change(context, 'write', `variables ${names.join(', ')}`, async () =>
        settings.writeVars(values),
      );
    }
    if (!secrets.has('STRIPE_SECRET_KEY')) {
      await change(context, 'store', 'secret STRIPE_SECRET_KEY', () =>
        secrets.put({ STRIPE_SECRET_KEY: secretKey }),
      );
    }
    await ensureWebhook(context, site, secrets);
    if (!plan) await settings.publishAppleFile();
    await ensureWalletDomain(context, site);
    await ensureMethods(context, settings.methods);
    if (lines.length === 0) print('Stripe matches the catalog.');
    if (names.length > 0 && !plan) print('Run npm run deploy to make the variables live.');
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    throw new CommandError(`Stripe: ${error.message} Run the command again.`);
  }
}
