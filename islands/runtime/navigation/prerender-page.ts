import { pageData } from '../hydration/page-data.ts';
import { addressOf } from '../hydration/request-page.ts';
import { rulesFor } from '../hydration/trusted-types.ts';
import { handoverKey } from '../storage/handover.ts';
import { storageAllowed } from '../storage/state-storage.ts';
import { savesData } from './fetch-page.ts';

/** Longer than a handover while storage works, in characters. */
const probe = 'x'.repeat(4096);

/** Without storage, a document leaves its state in the window's name, which a prerendered one cannot read. */
function storageWorks(): boolean {
  // The probe is stored, too, so it needs consent.
  if (!storageAllowed()) return false;
  try {
    window.sessionStorage.setItem(handoverKey, probe);
    window.sessionStorage.removeItem(handoverKey);
    return true;
  } catch {
    return false; // The browser stores nothing.
  }
}

let rules: HTMLScriptElement | undefined;

/** Called after a choice about storage, possibly in another tab. */
export function stopPrerendering(): void {
  if (!storageAllowed()) rules?.remove();
}

/** Chromium prerenders the next document, if it cannot be swapped in. */
export function prerenderNext(): void {
  const { kind, next, nextKind } = pageData();
  const swaps = kind === 'ordinary' && nextKind === kind;
  if (rules || !next || swaps || savesData() || !storageWorks()) return;
  if (!HTMLScriptElement.supports?.('speculationrules')) return;
  rules = rulesFor('prerender', addressOf(next));
  document.head.append(rules);
  addEventListener('visibilitychange', stopPrerendering);
}
