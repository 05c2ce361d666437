import { early } from '../hydration/event-replay.ts';
import { pageData } from '../hydration/page-data.ts';
import { hooks } from '../navigation/visit-hooks.ts';
import { countClick, countContinue, startClock, trackClicks } from './click-events.ts';
import { trackRefusals } from './input-refusals.ts';
import { trackScreen } from './screen-events.ts';
import { firstPaint, noteLeaving, trackTapToDocument, trackTapToScreen } from './tap-to-screen.ts';
import { storeUndelivered, track } from './track.ts';

/** Tracks earlier events, then new ones as they happen. */
function trackVisit(): void {
  startClock(firstPaint() ?? 0);
  trackTapToDocument();
  track('load');
  trackScreen();
  early.clicked.forEach(countClick);
  early.count = countClick;
  trackClicks();
  trackRefusals();
  hooks.continued = (form) => countContinue(form.querySelector('#continue-button'));
  hooks.answered = (answers) => track('questions_answered', answers);
  hooks.leaving = noteLeaving;
  hooks.unloading = storeUndelivered;
  hooks.shown = (at) => {
    startClock(at);
    trackTapToScreen(at);
    trackScreen();
  };
  addEventListener('pagehide', storeUndelivered);
}

if (pageData().kind !== 'private') trackVisit();
hooks.tracked();
