import { type PlainStep, withSpinner } from '../runtime/hydration/plain-step.ts';
import { navigate } from '../runtime/navigation/navigate.ts';
import { sliceOf } from '../runtime/storage/update-slice.ts';
import { lookUp } from './look-up.ts';

export const searchStep: PlainStep = {
  async answer(form) {
    const verdict = sliceOf('map').phone ? await withSpinner(form, lookUp()) : 'missing';
    return verdict === 'found' ? () => navigate() : null;
  },
};
