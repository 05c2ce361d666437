import type { Context } from 'hono';
import { type Currency, currencies } from '../../catalog/rules/currencies.ts';
import { gatewayNames } from '../../catalog/rules/gateway-names.ts';
import type { Period, PlanFamily } from '../../catalog/rules/plans.ts';
import type { Documents } from '../../documents/document-set.ts';
import type { Unsold } from '../../documents/manifest.ts';
import { configSet } from '../../experiments/config-set.ts';
import { builtInDocuments } from '../../experiments/rules/config-documents.ts';
import type { ConfigSet, DocumentKey } from '../../experiments/rules/config-schema.ts';
import { validateDocuments } from '../../experiments/rules/config-validation.ts';
import { settlementOf } from '../../payments/gateways/configuration-check.ts';
import { canCharge } from '../../payments/gateways/index.ts';
import { gatewayTraits, sells } from '../../payments/purchase/gateway-traits.ts';
import type { GatewayName } from '../../payments/purchase/state.ts';
import type { App } from '../../platform/env.ts';
import { recordOf } from '../../platform/keys.ts';

export const served = (documents: Documents): Documents =>
  configSet.isServed(documents) ? documents : builtInDocuments;

export const textIn = (documents: Documents, key: DocumentKey): string =>
  documents[key] ?? builtInDocuments[key];

/** @throws RangeError for documents that are not served */
export function parsed(documents: Documents): ConfigSet {
  const { set } = validateDocuments(documents);
  if (!set) throw new RangeError('documents that are not valid');
  return set;
}

interface Sale {
  period?: Period;
  /** The version that is sold now. */
  family?: PlanFamily;
  /** What a provider said it does not sell. */
  unsold?: Unsold | undefined;
}

export function sellersOf(c: Context<App>, { period, family, unsold = {} }: Sale = {}) {
  const isSeller = (name: GatewayName, currency: Currency) =>
    canCharge(name, c.env, currency) &&
    (period === undefined ||
      sells(name, { id: `${family}_${currency.toLowerCase()}`, period }, unsold));
  const titles = (currency: Currency) =>
    gatewayNames.flatMap((name) => (isSeller(name, currency) ? gatewayTraits[name].title : []));
  return recordOf(currencies, (currency) => titles(currency).join(', ') || 'no provider');
}

export function errorsOf(c: Context<App>, next: Documents, live: Documents): string[] {
  const { errors } = configSet.problems(next, live);
  if (errors.length > 0) return errors;
  const { refused } = settlementOf(c.env, parsed(next).catalog);
  return refused.map(({ key, path, reason }) => `${key} ${path}: ${reason}`);
}

export const slotNames = { main: 'Main plans', upsell: 'Extras', guide: 'Guides' };

export const slotChoices = { main: 'a main plan', upsell: 'an extra', guide: 'a guide' };

const periodNames: Record<string, string> = {
  week: 'every week',
  month: 'every month',
  quarter: 'every 3 months',
  half_year: 'every 6 months',
  year: 'every year',
  once: 'once',
};

export const periodName = (period: string): string => periodNames[period] ?? period;
