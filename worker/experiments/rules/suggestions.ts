import { productSchema, versionSchema } from '../../catalog/rules/catalog-document.ts';
import { couponTerms } from '../../catalog/rules/coupons.ts';
import type { Documents } from '../../documents/document-set.ts';
import { didYouMean, similarName } from '../../documents/rules/misspellings.ts';
import { fieldsIn, jsonIn } from '../../platform/read-json.ts';
import { configSchema, marketSchema, offerSchema, type Problem, schemas } from './config-schema.ts';
import { allFlows, screenIds } from './flows.ts';

export const fieldNames: readonly string[] = [
  ...Object.values(schemas),
  productSchema,
  productSchema.entries.coupon.wrapped,
  versionSchema,
  versionSchema.entries.intro.wrapped,
  configSchema.entries.variants.item,
  offerSchema,
  marketSchema,
].flatMap(({ entries }) => Object.keys(entries));

function choicesFor(reason: string, flows: string | null | undefined): readonly string[] {
  if (reason === 'no such screen') return screenIds;
  if (!reason.startsWith('no flow ')) return reason.replace('not one of ', '').split(', ');
  const own = Object.keys(fieldsIn(fieldsIn(jsonIn(flows)).flows));
  return [...new Set([...allFlows({ flows: {} }).keys(), ...own])];
}

/** A problem's reason with a suggested name. Requests of visitors skip the suggestion. */
export function suggestion({ key, path, reason }: Problem, texts: Documents): string {
  if (!path) return reason;
  const steps = path.split('.');
  const field = steps.pop() ?? '';
  if (reason === 'unknown field') {
    return (
      reason + didYouMean(field, ['percent', 'amount', ...Object.keys(couponTerms), ...fieldNames])
    );
  }
  const parent = steps.reduce((at, step) => fieldsIn(at[step]), fieldsIn(jsonIn(texts[key])));
  if (!reason.startsWith('Invalid key')) {
    return reason + didYouMean(parent[field], choicesFor(reason, texts['flows.json']));
  }
  const misspelled = similarName(field, Object.keys(parent));
  return misspelled ? `missing; is ${misspelled} a misspelling of it?` : 'missing';
}
