import { pageData } from '../runtime/hydration/page-data.ts';
import { navigate } from '../runtime/navigation/navigate.ts';
import { lookUp } from './lookup.ts';

/**
 * Goes on while the number is looked up: the look-up's screen says the result, or else the one that asks for the
 * e-mail (`settleNumber`). A payment screen is another document, with which the look-up would end, so it waits.
 */
export async function leaveNumber(): Promise<void> {
  const found = lookUp();
  const { nextKind, search } = pageData();
  const waits = nextKind === 'payment' && (await found) !== 'found';
  return navigate(waits ? search : undefined);
}
