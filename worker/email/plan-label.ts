import type { MailPlan } from '../catalog/rules/plans.ts';
import type { TemplateContext } from './template.ts';

export function planLabel(
  { slot, period, introDays, isFree }: Pick<MailPlan, 'slot' | 'period' | 'introDays' | 'isFree'>,
  t: TemplateContext['t'],
): string {
  if (slot !== 'main') return t(`plan.${slot}`);
  if (period === 'once') return t('plan.once');
  const name = t(`plan.${period}`);
  return introDays ? t(isFree ? 'plan.free' : 'plan.intro', { count: introDays, name }) : name;
}
