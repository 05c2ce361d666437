import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { calledResources } from '../../worker/payments/gateways/stripe/called-resources.ts';

/** Resources of the API, and the handler of thin events, which we do not ask for. */
const part = /node_modules\/stripe\/esm\/(?:resources\/(.+)|StripeEventNotificationHandler)\.js$/;
const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const capitalisedPart = (name: string) => (name === 'index' ? name : capitalised(name));

/** Files of the client: `Invoices`, `Radar/EarlyFraudWarnings` and the group's own `Radar/index`. */
const kept = new Set(
  Object.entries(calledResources).flatMap(([name, parts]) => {
    const file = capitalised(name);
    return parts === 'all'
      ? [file]
      : ['index', ...parts].map((each) => `${file}/${capitalisedPart(each)}`);
  }),
);

/** Leaves out the parts of Stripe's API that the Worker never calls: two thirds of the client. */
export const stripeParts: Plugin = {
  name: 'stripe-parts',
  enforce: 'pre',
  applyToEnvironment: (environment) => environment.name === 'worker',
  load(id) {
    const found = part.exec(id);
    if (!found || kept.has(found[1] ?? '')) return null;
    const names = readFileSync(id, 'utf8').matchAll(/^export class (\w+)/gm);
    return [...names].map(([, name]) => `export class ${name} {}`).join('\n');
  },
};
