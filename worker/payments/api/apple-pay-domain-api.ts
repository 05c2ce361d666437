import { createHandlers } from '../../http/handlers.ts';

/** Key in KV; `npm run setup` writes it. */
export const appleFileKey = 'apple-pay-domain-association';

/** The provider's file, which tells Apple that the domain may show its button. */
export const getAppleDomainFile = createHandlers(async (c) => {
  const text = await c.env.FUNNEL.get(appleFileKey);
  if (text === null) return c.body(null, 404);
  return c.text(text, 200, { 'cache-control': 'no-cache' });
});
