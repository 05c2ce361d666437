import type { PlainStep } from '../runtime/hydration/plain-step.ts';
import { navigate } from '../runtime/navigation/navigate.ts';

/** Skipping needs no React, but buying does. */
export const upsellStep: PlainStep = {
  answer: (target) =>
    target.localName === 'a' ? () => navigate((target as HTMLAnchorElement).pathname) : null,
};
