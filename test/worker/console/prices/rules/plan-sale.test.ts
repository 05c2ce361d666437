import { expect, test } from 'vitest';
import { Catalog } from '../../../../../worker/catalog/rules/catalog.ts';
import { offerFormOf } from '../../../../../worker/console/documents/rules/offer-form.ts';
import { offerWith } from '../../../../../worker/console/prices/rules/plan-sale.ts';
import { builtInDocuments } from '../../../../../worker/experiments/rules/config-documents.ts';
import { validateDocuments } from '../../../../../worker/experiments/rules/config-validation.ts';

const { set } = validateDocuments(builtInDocuments);
const catalog = new Catalog((set ?? expect.fail('not valid')).catalog);
const offer = offerFormOf(builtInDocuments['config.json'], 'fullPrice');
const plan = { id: 'yearly', slot: 'main' };

test.each([
  [false, 'quarterly'],
  [true, 'yearly'],
])('plan sale: selected %s', (isSelected, preselect) => {
  const next = offerWith(offer, plan, { isSelected }, catalog);
  expect(next).toEqual({ ...offer, plans: ['monthly', 'quarterly', 'yearly'], preselect });
});

test('plan sale: what an offer names stays, and an extra takes the place of the one before', () => {
  const own = { ...offer, preselect: 'monthly', bestValue: 'monthly' };
  const kept = { isSelected: false };
  expect(offerWith(own, plan, kept, catalog)).toMatchObject({
    preselect: 'monthly',
    bestValue: 'monthly',
  });
  expect(offerWith(own, { id: 'club', slot: 'upsell' }, kept, catalog)).toEqual({
    ...own,
    upsell: 'club',
  });
});
