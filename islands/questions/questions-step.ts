import type { PlainStep } from '../runtime/hydration/plain-step.ts';
import { goOn, watchTaps } from './tapped-answers.ts';

export const questionsStep: PlainStep = {
  touch: (island) => watchTaps(island, () => !island.hasAttribute('live')),
  answer: () => goOn,
};
