import { visitorUuid } from '../../stores/visitor-uuid.ts';
import { landingKey, readItem, writeMemory } from '../storage/state-storage.ts';
import { eventPage, screenName, track } from './track.ts';

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

/** For the Worker, which may set no cookie before consent. After one of our pages, the first screen is not known. */
function rememberLanding(screen: string, isFirst: boolean): void {
  if (readItem('localStorage', landingKey) || document.referrer.startsWith(location.origin)) return;
  writeMemory([[landingKey, isFirst ? screen : `direct:${screen}`]]);
}

/** @param name the path without its slash: a screen's id, or its alias */
export function trackScreen(name = screenName()): void {
  const { first, flow = '', checkout } = eventPage();
  const screen = screenName();
  const path = `/${screen}`;
  rememberLanding(screen, path === first);
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
