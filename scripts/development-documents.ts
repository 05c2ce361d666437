import { builtInCatalog } from '../worker/catalog/rules/catalog.ts';
import { currencies } from '../worker/catalog/rules/currencies.ts';
import { builtInDocuments } from '../worker/experiments/rules/config-documents.ts';

const offered = currencies.filter((currency) =>
  builtInCatalog.sells(builtInCatalog.families, currency),
);

export const developmentDocuments = {
  ...builtInDocuments,
  'catalog.json': JSON.stringify(
    { ...JSON.parse(builtInDocuments['catalog.json']), currencies: offered },
    null,
    2,
  ),
};
