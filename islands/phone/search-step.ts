import { pageData } from '../runtime/hydration/page-data.ts';
import type { PlainStep } from '../runtime/hydration/plain-step.ts';
import { navigate } from '../runtime/navigation/navigate.ts';
import { sliceOf } from '../runtime/storage/update-slice.ts';
import { lookUp } from './lookup.ts';

/** Continues before the number is looked up. If the lookup fails, the visitor comes back to this screen, which says so. */
export async function leaveSearch(): Promise<void> {
  const { screen, next } = pageData();
  const verdict = lookUp();
  await navigate();
  verdict.then((found) => {
    if (found !== 'found' && `/${pageData().screen}` === next) navigate(`/${screen}`);
  });
}

export const searchStep: PlainStep = {
  answer: () => (sliceOf('map').phone ? leaveSearch : null),
};
