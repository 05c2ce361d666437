import type { MailPlan } from '../catalog/rules/plans.ts';
import type { TemplateContext } from './template.ts';

type Named = Pick<MailPlan, 'slot' | 'period' | 'introDays' | 'isFree' | 'texts'>;

export function planLabel(
  { slot, period, introDays, isFree, texts }: Named,
  { t, named }: Pick<TemplateContext, 't' | 'named'>,
): string {
  const own = named(texts?.name);
  if (slot !== 'main') return own ?? t(`plan.${slot}`);
  if (period === 'once') return own ?? t('plan.once');
  const name = own ?? t(`plan.${period}`);
  return introDays ? t(isFree ? 'plan.free' : 'plan.intro', { count: introDays, name }) : name;
}
