import type { Context } from 'hono';
import { configSet } from '../../experiments/config-set.ts';
import { builtInDocuments, readDocuments } from '../../experiments/rules/config-documents.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { readForm } from '../parts/form-fields.ts';
import { documentsIn, originIn, reviewDocuments } from '../publishing/config-change.tsx';
import { liveConfig } from '../publishing/publish-documents.ts';
import { offersPage } from './offers-pages.tsx';
import { couponFormOf, couponIn, withCoupon } from './rules/coupon-form.ts';

/** Reviews the live documents with a coupon added, changed, renamed or removed. */
export async function reviewCoupon(c: Context<App>): Promise<Response> {
  const [fields, { documents }] = [await readForm(c), await liveConfig(c)];
  const coupon = couponIn(fields);
  const served = configSet.isServed(documents) ? documents : builtInDocuments;
  const config = served['config.json'] ?? builtInDocuments['config.json'];
  const next = { ...documents, 'config.json': withCoupon(config, coupon, fields.has('remove')) };
  const place = `config.json coupons.${coupon.code}.`;
  const { coupons } = readDocuments(served, isProduction(c.env));
  const isTaken = !fields.has('remove') && coupon.code !== coupon.was && coupons.has(coupon.code);
  const problems = isTaken
    ? [`The coupon ${coupon.code} exists already. Change it, or choose another code.`]
    : configSet.problems(next).errors.map((line) => line.replace(place, ''));
  if (problems.length > 0) return offersPage(c, { coupon, problems });
  return reviewDocuments(c, next, fields.get('base') ?? '', { from: 'offers', flow: coupon.code });
}

/** Back from a review: the forms with the reviewed documents. */
export async function returnToOffers(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const documents = documentsIn(fields);
  const { flow: code } = originIn(fields);
  const draft = readDocuments(documents, isProduction(c.env));
  const coupon = draft.coupons.get(code);
  const live = readDocuments((await liveConfig(c)).documents, isProduction(c.env)).coupons;
  // A renamed coupon is live under the code that the draft has no longer.
  const was = live.has(code) ? code : [...live.keys()].find((key) => !draft.coupons.has(key));
  return offersPage(c, {
    draft: documents,
    base: fields.get('base') ?? '',
    ...(coupon && { coupon: { ...couponFormOf(code, coupon), was: was ?? '' } }),
  });
}
