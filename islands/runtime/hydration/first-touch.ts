import { emailStep } from '../../account/email-step.ts';
import { planStep } from '../../checkout/plan-step.ts';
import { upsellStep } from '../../checkout/upsell-step.ts';
import { phoneStep } from '../../phone/phone-step.ts';
import { searchStep } from '../../phone/search-step.ts';
import { handleBack } from '../navigation/back-button.ts';
import { prefetchPage } from '../navigation/fetch-page.ts';
import { interceptForms } from '../navigation/intercept-forms.ts';
import { countClick, countContinue, trackClicks } from '../tracking/click-events.ts';
import { trackScreen } from '../tracking/screen-events.ts';
import { trackTapToDocument } from '../tracking/tap-to-screen.ts';
import { storeUndelivered, track } from '../tracking/track.ts';
import { showChunkError } from './chunk-error.ts';
import { hydrateNow, loadShared } from './chunks.ts';
import { replay, takeOver } from './event-replay.ts';
import { failure } from './load-chunk.ts';
import { pageData } from './page-data.ts';
import type { PlainStep } from './plain-step.ts';
import { takeWaiting } from './take-waiting.ts';
import { forgetTouches, whenQuiet, whileAnswering } from './when-quiet.ts';

const steps: Record<string, PlainStep> = {
  'phone-form': phoneStep,
  'search-progress': searchStep,
  'email-form': emailStep,
  'plan-picker': planStep,
  'upsell-offer': upsellStep,
};

const touched = new WeakSet<Element>();

/** Answers what waits in an island; false when React must. */
async function answerWaiting(island: Element, step: PlainStep): Promise<boolean> {
  for (let next = takeWaiting(island); next; next = takeWaiting(island)) {
    const { target, putBack } = next;
    const go = await step.answer(target, island);
    if (!go) {
      putBack();
      return false;
    }
    if (target.localName === 'form') countContinue(target.querySelector('#continue-button'));
    else countClick(target);
    await go();
  }
  return true;
}

/**
 * Answers a touch. A step that only reads a field or a choice needs no React, which hydrates its
 * island when nothing is touched any more. Any other island is hydrated at once.
 */
export async function answer(owner: Element): Promise<void> {
  const step = steps[owner.getAttribute('name') ?? ''];
  if (owner.localName !== 'x-island') return replay(owner);
  if (!step) return hydrateNow(owner);
  if (!touched.has(owner)) {
    touched.add(owner);
    prefetchPage();
    step.touch?.(owner);
  }
  if (!(await whileAnswering(owner, () => answerWaiting(owner, step)))) await hydrateNow(owner);
}

/** Starts React on a page that is loaded. */
export async function startWhenSettled(touched: boolean): Promise<void> {
  if (!touched) forgetTouches();
  await whenQuiet();
  const shared = await loadShared();
  shared.startPage();
}

failure.show = showChunkError;
if (typeof document !== 'undefined') {
  handleBack();
  interceptForms();
  if (pageData().kind === 'private') takeOver(() => {});
  else {
    trackTapToDocument();
    track('load');
    trackScreen();
    trackClicks();
    takeOver(countClick);
    addEventListener('pagehide', storeUndelivered);
  }
}
