import builtIn from '../worker/catalog/rules/built-in-catalog.json' with { type: 'json' };

/** The built-in catalog with a second version of the monthly plan. @param change of that plan */
export function withSecondMonthly(version: object, change: object = {}) {
  const { monthly } = builtIn.products;
  const versions = { ...monthly.versions, 2: version };
  return {
    ...builtIn,
    products: { ...builtIn.products, monthly: { ...monthly, ...change, versions } },
  };
}
