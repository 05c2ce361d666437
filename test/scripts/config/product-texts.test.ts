import { expect, test } from 'vitest';
import { publish } from '../../../scripts/versioned-documents.ts';
import { contentManifestKey } from '../../../worker/content/content-service.ts';
import { configSet } from '../../../worker/experiments/config-set.ts';
import { builtInDocuments } from '../../../worker/experiments/rules/config-documents.ts';
import { commandContext, texts } from './command-context.ts';

const builtIn = JSON.parse(builtInDocuments['catalog.json']);
const catalogWith = (own: object) =>
  JSON.stringify({
    ...builtIn,
    products: { ...builtIn.products, monthly: { ...builtIn.products.monthly, ...own } },
  });

/** Publishes a catalog in which the monthly product has these fields. */
async function published(own: object, stored: Record<string, string> = {}) {
  const { context, printed } = commandContext({ ...texts(), ...stored });
  const next = { ...builtInDocuments, ...texts(), 'catalog.json': catalogWith(own) };
  const refusal = await publish(configSet, next, { yes: true }, context).catch(
    (error: Error) => error.message,
  );
  return { refusal, errors: printed.filter((line) => line.startsWith('error')) };
}

const content = (english: object) => ({
  [contentManifestKey]: JSON.stringify({ timestamp: 5, files: ['en'] }),
  'content/5/en': JSON.stringify(english),
});
const place = 'error: catalog.json products.monthly.';

test.each([
  [{ name: 'screens.upsell.guide.title' }, []],
  [{ name: 'products.plan.name' }, []],
  [
    { name: 'products.plan.naem' },
    [`${place}name: no English text products.plan.naem; did you mean products.plan.name?`],
  ],
  [
    { description: 'screens.upsell.guide.titel' },
    [
      `${place}description: no English text screens.upsell.guide.titel; did you mean screens.upsell.guide.title?`,
    ],
  ],
  [
    { name: 'screens.plans.intro_other' },
    [`${place}name: screens.plans.intro_other has {{count}}, which nothing fills`],
  ],
  [{ name: 'screens.upsell' }, [`${place}name: no English text screens.upsell`]],
  [{ name: 'mails.plan.once' }, [`${place}name: not a text such as products.travel.name`]],
  [{ name: '' }, [`${place}name: not a text such as products.travel.name`]],
  [{ name: 7 }, expect.arrayContaining([expect.stringContaining(`${place}name`)])],
])(
  'product texts: a catalog with %j is published unless its texts cannot be shown',
  async (own, expected) => {
    const { errors } = await published(own, content({ 'products.plan.name': 'Family pass' }));
    expect(errors.map((line) => line.replace(/ \(.*/, ''))).toEqual(expected);
  },
);

test('product texts: without published texts a key of theirs is refused', async () => {
  const { refusal, errors } = await published({ name: 'products.plan.name' });
  expect(refusal).toBe('The texts are not published.');
  expect(errors).toEqual([`${place}name: no English text products.plan.name`]);
});

test('product texts: a deleted text stops no later publication', async () => {
  const live = { 'catalog.json': catalogWith({ name: 'products.plan.name' }) };
  const { errors } = await published({ name: 'products.plan.name', grace_days: 6 }, live);
  expect(errors).toEqual([]);
});

test('product texts: the changes of a catalog say which texts it names and no longer names', () => {
  const [none, named] = [{}, { name: 'products.plan.name' }].map((own) => ({
    ...builtInDocuments,
    'catalog.json': catalogWith(own),
  }));
  expect(configSet.differences(none ?? {}, named ?? {})).toEqual([
    'plan monthly: name none → products.plan.name',
  ]);
  expect(configSet.differences(named ?? {}, none ?? {})).toEqual([
    'plan monthly: name products.plan.name → none',
  ]);
});
