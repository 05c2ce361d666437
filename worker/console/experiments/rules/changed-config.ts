import type { Changes } from '../../../experiments/rules/experiments-schema.ts';

interface Written {
  variants?: { key: string; flow: string }[];
  offers?: Record<string, unknown>;
}

/** `config.json` in which these variants of the split have a change's flow and offer. */
export function withChanges(
  config: string,
  arms: readonly string[],
  { flow, offer }: Pick<Changes, 'flow' | 'offer'>,
): string {
  const document = JSON.parse(config) as Written;
  const { variants = [], offers = {} } = document;
  const sold = offer === undefined ? undefined : offers[offer];
  return JSON.stringify(
    {
      ...document,
      variants: variants.map((each) =>
        flow && arms.includes(each.key) ? { ...each, flow } : each,
      ),
      offers: sold ? { ...offers, ...Object.fromEntries(arms.map((arm) => [arm, sold])) } : offers,
    },
    null,
    2,
  );
}
