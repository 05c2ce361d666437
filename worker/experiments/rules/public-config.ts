import type { Configuration, DocumentKey } from './config-documents.ts';

/**
 * What anyone may read of the configuration: the arms that visitors are drawn into, the flows and
 * the aliases. Coupons, offers and arms without weight stay ours.
 */
export function publicConfig(
  configuration: Pick<Configuration, 'experiment' | 'variants' | 'flows' | 'aliases'>,
): Record<DocumentKey, string> {
  const { experiment, flows, aliases } = configuration;
  const variants = configuration.variants
    .filter(({ weight }) => weight > 0)
    .map(({ key, weight, flow }) => ({ key, weight, flow }));
  return {
    'config.json': JSON.stringify({ experiment, variants }),
    'flows.json': JSON.stringify({
      flows: Object.fromEntries(flows),
      aliases: Object.fromEntries(aliases),
    }),
  };
}
