import { beforeFirstTouch } from '../hydration/event-replay.ts';
import { pageData } from '../hydration/page-data.ts';
import { stayed } from '../navigation/stayed.ts';
import { missed, navigationHooks } from '../navigation/visit-hooks.ts';
import { countClick, countContinue, startClock, trackClicks } from './click-events.ts';
import { reportError } from './report-error.ts';
import { trackScreen } from './screen-events.ts';
import {
  firstPaint,
  recordLeaving,
  trackTapToDocument,
  trackTapToScreen,
} from './tap-to-screen.ts';
import { storeUndelivered, track, trackPast } from './track.ts';

/** Tracks each field that our validation, or the server, marks as invalid: its name, never its value. */
function trackRefusals(): void {
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const { ariaInvalid, name } = target as HTMLInputElement;
      if (ariaInvalid === 'true') track('input_refused', { field: name });
    }
  }).observe(document, { subtree: true, attributeFilter: ['aria-invalid'] });
}

/** Tracks earlier moments, each on its own screen, then new ones as they happen. */
function trackVisit(): void {
  navigationHooks.opened = (path) => {
    startClock(firstPaint() ?? 0);
    trackTapToDocument();
    track('load');
    trackScreen(path.slice(1) || undefined);
    beforeFirstTouch.clicked.forEach(countClick);
  };
  navigationHooks.clicked = countClick;
  navigationHooks.continued = (form) => countContinue(form.querySelector('#continue-button'));
  navigationHooks.answered = (answers) => track('questions_answered', answers);
  navigationHooks.leaving = recordLeaving;
  navigationHooks.unloading = storeUndelivered;
  navigationHooks.shown = (at) => {
    startClock(at);
    trackTapToScreen(at);
    trackScreen();
  };
  for (const { call, ...moment } of missed) trackPast(moment, call);
  trackClicks();
  trackRefusals();
  addEventListener('pagehide', storeUndelivered);
}

try {
  if (pageData().kind !== 'private') trackVisit();
} catch (error) {
  stayed().then(() => reportError('island_failed', { type: (error as Error).name }));
}
navigationHooks.tracked();
