import { translationsFor } from '../content/translations.ts';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { bearer } from './access-token.ts';

export const getGuide = createHandlers(bearer, async (c) => {
  const bought = await c.env.PURCHASES.getByName(c.var.account).activePlan('guide');
  if (!bought) throw new Refusal('guide_not_owned');
  return c.json({ data: translationsFor(c.var.visitor.language).guide });
});
