import { visitorUuid } from '../stores/visitor.ts';
import { here } from './here.ts';
import { track } from './track.ts';

/** A paywall shows its checkout later, when its button is pressed. */
const isPaywall = () => document.querySelector('x-island[name="show-checkout"]') !== null;

/** Tells when the plans of a screen are first seen. */
function watchPlans(): void {
  const plans = document.querySelector('x-island:is([name="plan-picker"], [name="orders"])');
  if (!plans?.firstElementChild) return;
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    seen.disconnect();
    track('subs_purchase_show');
  });
  seen.observe(plans.firstElementChild);
}

/** Tells that a screen is shown, and what its first sight means for the funnel. */
export function tellScreen(): void {
  const { screen = '', first, flow = '', checkout } = here();
  const path = `/${screen}`;
  track('screen__load');
  track(`${screen}__load`);
  if (path === first) {
    track('onboarding_start', {}, 'visit');
    track('flow_entry', { flow }, `${visitorUuid()}.${flow}`);
  }
  if (path !== checkout) return;
  if (!isPaywall()) track('checkout_screen_load');
  watchPlans();
}
