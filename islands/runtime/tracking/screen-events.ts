import { visitorUuid } from '../../stores/visitor-uuid.ts';
import { pageData } from '../hydration/page-data.ts';
import { screenName, track } from './track.ts';

const isPaywall = () => document.querySelector('x-island[name="reveal-checkout"]') !== null;

function watchPlans(): void {
  const plans = document.querySelector('x-island:is([name="plan-picker"], [name="order-summary"])');
  if (!plans?.firstElementChild) return;
  const show = () => track('subs_purchase_show', {}, 'visit');
  if (!('IntersectionObserver' in globalThis)) {
    show();
    return;
  }
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    show();
  });
  observer.observe(plans.firstElementChild);
}

/** @param name the path without its slash: a screen's id, or its alias */
export function trackScreen(name = screenName()): void {
  const { first, flow = '', checkout } = pageData();
  const screen = screenName();
  const path = `/${screen}`;
  track('screen__load');
  track(`${screen}__load`);
  if (path === first) track('onboarding_start', {}, 'visit');
  if (flow.startsWith(name)) {
    track('flow_entry', { flow }, `${visitorUuid()}.${flow}`);
  }
  if (path !== checkout) return;
  if (!isPaywall()) track('checkout_screen_load', {}, 'visit');
  watchPlans();
}
