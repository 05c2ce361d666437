import { builtInCatalog } from '../worker/catalog/rules/catalog.ts';
import { currencies } from '../worker/catalog/rules/currencies.ts';
import { builtInDocuments } from '../worker/experiments/rules/config-documents.ts';

const offered = currencies.filter((currency) =>
  builtInCatalog.sells(builtInCatalog.families, currency),
);

/** The built-in documents, sold in every currency in which all built-in products have a price. */
export const developmentDocuments = {
  ...builtInDocuments,
  'catalog.json': JSON.stringify(
    { ...JSON.parse(builtInDocuments['catalog.json']), currencies: offered },
    null,
    2,
  ),
};
