import { planStep } from '../../checkout/plan-step.ts';
import { upsellStep } from '../../checkout/upsell-step.ts';
import { phoneStep } from '../../phone/phone-step.ts';
import { searchStep } from '../../phone/search-step.ts';
import { questionsStep } from '../../questions/questions-step.ts';
import { handleBack } from '../navigation/back-button.ts';
import { prefetchPage, savesData } from '../navigation/fetch-page.ts';
import { interceptForms } from '../navigation/intercept-forms.ts';
import { navigationHooks } from '../navigation/visit-hooks.ts';
import { showChunkError } from './chunk-error.ts';
import { hydrateNow, loadEmailStep, loadShared } from './chunks.ts';
import { beforeFirstTouch, replay } from './event-replay.ts';
import { failure } from './load-chunk.ts';
import { type PlainStep, touchOnce } from './plain-step.ts';
import { takeBuffered } from './take-buffered.ts';
import { forgetTouches, runExclusively, whenQuiet } from './when-quiet.ts';

const steps: Record<string, PlainStep> = {
  'phone-form': phoneStep,
  'search-progress': searchStep,
  'questions-form': questionsStep,
  'plan-picker': planStep,
  'upsell-offer': upsellStep,
};

const stepOf = (name: string): PlainStep | Promise<PlainStep> | undefined =>
  name === 'email-form' ? loadEmailStep().then(({ emailStep }) => emailStep) : steps[name];

/** How long a tap waits for tracking, which loads beside this code. */
const trackingTimeoutMs = 1000;

const tracked = new Promise<void>((done) => {
  navigationHooks.tracked = done;
  setTimeout(done, trackingTimeoutMs);
}).then(() => {
  beforeFirstTouch.outside = 'x-island';
});

/** Handles the buffered events of an island; false when React must. */
async function answerBuffered(island: Element, step: PlainStep): Promise<boolean> {
  await tracked;
  for (let next = takeBuffered(island); next; next = takeBuffered(island)) {
    const { target, restore } = next;
    const go = await step.answer?.(target, island);
    if (!go) {
      restore();
      return false;
    }
    if (target.localName === 'form') navigationHooks.continued(target);
    else beforeFirstTouch.count(target);
    await go();
  }
  return true;
}

/** A step that only reads a field or a choice needs no React. Any other island is hydrated at once. */
export async function answer(owner: Element): Promise<void> {
  if (owner.localName !== 'x-island') {
    await tracked;
    return replay(owner);
  }
  const found = stepOf(owner.getAttribute('name') ?? '');
  if (!found) return hydrateNow(owner);
  prefetchPage(!savesData());
  const step = await found;
  touchOnce(owner, step);
  if (!(await runExclusively(owner, () => answerBuffered(owner, step)))) await hydrateNow(owner);
}

/** Starts React once the page has loaded. */
export async function startWhenSettled(touched: boolean): Promise<void> {
  if (!touched) forgetTouches();
  await whenQuiet();
  const shared = await loadShared();
  shared.startPage();
}

navigationHooks.opened(location.pathname);
beforeFirstTouch.count = (target) => navigationHooks.clicked(target);
failure.show = showChunkError;
handleBack();
interceptForms();
