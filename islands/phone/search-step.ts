import type { PlainStep } from '../runtime/hydration/plain-step.ts';
import { sliceOf } from '../runtime/storage/update-slice.ts';
import { leaveNumber } from './leave-number.ts';

export const searchStep: PlainStep = {
  answer: () => (sliceOf('map').phone ? leaveNumber : null),
};
