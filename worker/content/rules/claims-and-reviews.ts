import type { Testimonial } from '../../page-types.ts';
import type { ContentMap } from './content-schema.ts';

/** What is said of us that a page in a language may show, each with its source. */
export function claimsAndReviews(
  map: ContentMap | undefined,
  language: string,
): { reviews: Testimonial[]; claims: Testimonial[] } {
  const own = <One extends { language: string }>(all: readonly One[] = []) =>
    all.filter((one) => one.language === language);
  return {
    claims: own(map?.claims).map(({ text, source }) => ({ text, source })),
    reviews: own(map?.reviews).map(({ text, source, name, img }) => ({ text, source, name, img })),
  };
}
