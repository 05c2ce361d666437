import type * as v from 'valibot';
import {
  type CancelReason,
  cancelOffersOf,
  cancelReasons,
} from '../../../catalog/rules/cancel-offers.ts';
import { builtInOffer } from '../../../experiments/rules/config-kinds.ts';
import type { offerSchema } from '../../../experiments/rules/config-schema.ts';
import { typeOf } from '../../../experiments/rules/split.ts';
import { recordOf } from '../../../platform/keys.ts';

export interface OfferForm {
  key: string;
  /** Products, or versions such as `monthly@2`, in the order of the page. */
  plans: readonly string[];
  after: readonly string[];
  /** Empty for the plan with the lowest price per day. */
  preselect: string;
  /** Empty for the plan with the lowest price per day. */
  bestValue: string;
  upsell: string;
  guide: string;
  /** Empty for the built-in offer. */
  cancel: Readonly<Record<CancelReason, string>>;
}

interface Written {
  offers?: Record<string, v.InferInput<typeof offerSchema>>;
}

const offersIn = (config: string) => (JSON.parse(config) as Written).offers ?? {};

/** The offer that a variant sells: its own, that of its type, or one that is still to be written. */
export function offerKeyOf(arm: string, config: string): string {
  const written = offersIn(config);
  return [arm, typeOf(arm)].find((key) => Object.hasOwn(written, key)) ?? arm;
}

const writtenOffer = (config: string, key: string): v.InferInput<typeof offerSchema> =>
  offersIn(config)[key] ?? builtInOffer;

export function offerFormOf(config: string, key: string): OfferForm {
  const {
    plans,
    after = [],
    preselect = '',
    upsell,
    guide,
    cancel,
    ...offer
  } = writtenOffer(config, key);
  const { best_value: bestValue = '' } = offer;
  const answers = recordOf(cancelReasons, (reason) => cancel?.[reason] ?? '');
  return { key, plans, after, preselect, bestValue, upsell, guide, cancel: answers };
}

export function offerIn(fields: URLSearchParams): OfferForm {
  const text = (name: string) => fields.get(name) ?? '';
  const chosen = (name: string) => fields.getAll(name).filter((value) => value !== '');
  return {
    key: text('key'),
    plans: chosen('plans'),
    after: chosen('after'),
    preselect: text('preselect'),
    bestValue: text('bestValue'),
    upsell: text('upsell'),
    guide: text('guide'),
    cancel: recordOf(cancelReasons, text),
  };
}

/** `config.json` with another offer; the same text if nothing changes. */
export function withOffer(config: string, form: OfferForm): string {
  if (JSON.stringify(offerFormOf(config, form.key)) === JSON.stringify(form)) return config;
  const { key, plans, after, preselect, bestValue, upsell, guide, cancel } = form;
  const {
    after: _,
    preselect: _1,
    best_value: _2,
    cancel: _3,
    ...kept
  } = writtenOffer(config, key);
  const usual = cancelOffersOf({});
  const isOwn = Object.values(cancel).some((answer) => answer !== '');
  const offer = {
    ...{ ...kept, plans, upsell, guide },
    ...(after.length > 0 && { after }),
    ...(preselect && { preselect }),
    ...(bestValue && { best_value: bestValue }),
    ...(isOwn && { cancel: recordOf(cancelReasons, (reason) => cancel[reason] || usual[reason]) }),
  };
  const document = JSON.parse(config) as Written;
  return JSON.stringify({ ...document, offers: { ...document.offers, [key]: offer } }, null, 2);
}
