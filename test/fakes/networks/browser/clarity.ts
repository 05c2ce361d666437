import { mark } from './script-origin.ts';

type Call = readonly [verb: string, said?: { analytics_Storage?: string }];
type Page = { clarity?: { q?: Call[] } };

/**
 * Clarity sets no cookie before it has a consent signal:
 * learn.microsoft.com/en-us/clarity/setup-and-installation/cmp-integration-guide
 */
function obey([verb, said]: Call): void {
  if (verb !== 'consentv2') return;
  if (said?.analytics_Storage === 'granted') mark('_clck', 'heatmap.fake');
  else document.cookie = '_clck=; path=/; max-age=0';
}

const page = window as Page;
const waiting = page.clarity?.q ?? [];
Object.assign(window, { clarity: (...call: Call) => obey(call) });
for (const call of waiting) obey(call);
