import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { calledResources } from '../../worker/payments/gateways/stripe/called-resources.ts';

/** Resources of the API, and the handler of thin events, which we do not use. */
const part = /node_modules\/stripe\/esm\/(?:resources\/(.+)|StripeEventNotificationHandler)\.js$/;
const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const capitalisedPart = (name: string) => (name === 'index' ? name : capitalised(name));

/** Files of the client to keep: `Invoices`, `Radar/EarlyFraudWarnings` and the group's own `Radar/index`. */
const kept = new Set(
  Object.entries(calledResources).flatMap(([name, parts]) => {
    const file = capitalised(name);
    return parts === 'all'
      ? [file]
      : ['index', ...parts].map((each) => `${file}/${capitalisedPart(each)}`);
  }),
);

/** Converts texts such as `unit_amount_decimal` to numbers. The Worker reads amounts in minor units only. */
const decimals = /node_modules\/stripe\/esm\/(V2Coercion|Decimal)\.js$/;
const withoutDecimals: Record<string, string> = {
  V2Coercion: ['coerceV2RequestData', 'coerceV2ResponseData']
    .map((name) => `export const ${name} = (data) => data;`)
    .join('\n'),
  Decimal: 'export class Decimal {}',
};

/** Descriptions of decimals in requests and responses, from the innermost outwards. */
const schema = /\{\s*kind: '[^{}]*\}|(?<=fields: )\{[^{}]*\}/g;
const emptySchema = /\b(?:request|response)Schema: 0,?\s*/g;

function withoutSchemas(code: string): string {
  const shorter = code.replace(schema, '0');
  return shorter === code ? code.replace(emptySchema, '') : withoutSchemas(shorter);
}

/** Leaves out the parts of Stripe's API that the Worker never calls: two thirds of the client. */
export const stripeParts: Plugin = {
  name: 'stripe-parts',
  enforce: 'pre',
  applyToEnvironment: (environment) => environment.name === 'worker',
  load(id) {
    const [, decimal = ''] = decimals.exec(id) ?? [];
    if (decimal) return withoutDecimals[decimal];
    const found = part.exec(id);
    if (!found) return null;
    if (kept.has(found[1] ?? '')) return withoutSchemas(readFileSync(id, 'utf8'));
    const names = readFileSync(id, 'utf8').matchAll(/^export class (\w+)/gm);
    return [...names].map(([, name]) => `export class ${name} {}`).join('\n');
  },
};
