import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flowLabel } from '../../../../../worker/console/documents/rules/flow-form.ts';
import { builtInFlows } from '../../../../../worker/experiments/rules/flows.ts';

const labelsOf = (flows: Readonly<Record<string, readonly string[]>>) => {
  const named = Object.entries(flows).map(([name, screens]) => ({ name, screens }));
  return named.map((flow) => flowLabel(flow, named));
};

test('console flows: the list shows by screens how flows with the same beginning differ', () => {
  expect(labelsOf(builtInFlows)).toEqual([
    'default: one_pager … checkout_v3_tr …',
    'lp1ch2: the same screens as default',
    'lp11ch8: one_pager … checkout_h3_pp …',
    'lp11ch8_vc: one_pager … checkout_v3_pp …',
    'lp11ch8b: one_pager … checkout_h3_pp_braintree …',
    'lp17ch17pr5: one_pager_all …',
    'ask: questions …',
  ]);
});

test('console flows: a label without a name belongs to one order of screens', () => {
  const flow = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 });
  fc.assert(
    fc.property(fc.uniqueArray(flow, { minLength: 1, maxLength: 8, selector: String }), (all) => {
      const labels = labelsOf(Object.fromEntries(all.map((screens, at) => [`f${at}`, screens])));
      expect(new Set(labels.map((label) => label.replace(/^f\d+/, ''))).size).toBe(all.length);
    }),
  );
});
