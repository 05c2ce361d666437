import {
  type Flow,
  isCheckout,
  isLanding,
  isScreenId,
  nextScreen,
  progressOf,
  showsLookUp,
} from './flows.ts';

export const firstOf = (flow: Flow) => flow[0] ?? 'one_pager';

function nextOf(flow: Flow, screen: string): string | null {
  if (screen === 'invited') return null;
  return isScreenId(screen) ? nextScreen(flow, screen) : firstOf(flow);
}

export function flowFacts(flow: Flow, screen: string) {
  const first = firstOf(flow);
  return {
    next: nextOf(flow, screen),
    firstPath: `/${first}`,
    numberPath: `/${flow.find(isLanding) ?? first}`,
    searchPath: `/${flow.find(showsLookUp) ?? 'searching'}`,
    signupPath: `/${flow.find((id) => id.startsWith('signup')) ?? first}`,
    checkoutPath: `/${flow.find(isCheckout) ?? first}`,
    progress: isLanding(screen) ? null : progressOf(flow, screen),
    hasQuestions: flow.includes('questions'),
  };
}
