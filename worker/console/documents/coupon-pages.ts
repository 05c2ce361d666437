import type { Context } from 'hono';
import { redeemedCodes } from '../../catalog/coupon-redemption-table.ts';
import { codeAt } from '../../catalog/rules/coupon-codes.ts';
import { siteOrigin } from '../../email/enqueue-email.ts';
import { configSet } from '../../experiments/config-set.ts';
import { readDocuments } from '../../experiments/rules/config-documents.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { consoleRefusal, csvResponse } from '../parts/console-response.tsx';
import { readForm } from '../parts/form-fields.ts';
import { served, textIn } from '../prices/live-prices.ts';
import { returnedDraft, reviewDocuments } from '../publishing/config-change.tsx';
import { liveConfig } from '../publishing/publish-documents.ts';
import { offersPage } from './offers-pages.tsx';
import { couponFormOf, couponIn, withCoupon } from './rules/coupon-form.ts';

/** Reviews the live documents with a coupon added, changed, renamed or removed. */
export async function reviewCoupon(c: Context<App>): Promise<Response> {
  const [fields, { documents }] = [await readForm(c), await liveConfig(c)];
  const coupon = couponIn(fields);
  const config = textIn(served(documents), 'config.json');
  const next = { ...documents, 'config.json': withCoupon(config, coupon, fields.has('remove')) };
  const place = `config.json coupons.${coupon.code}.`;
  const { coupons } = readDocuments(served(documents), isProduction(c.env));
  const isTaken = !fields.has('remove') && coupon.code !== coupon.was && coupons.has(coupon.code);
  const problems = isTaken
    ? [`The coupon ${coupon.code} exists already. Change it, or choose another code.`]
    : configSet.problems(next).errors.map((line) => line.replace(place, ''));
  if (problems.length > 0) return offersPage(c, { coupon, problems });
  return reviewDocuments(c, next, fields.get('base') ?? '', { from: 'offers', flow: coupon.code });
}

/** Back from a review: the forms with the reviewed documents. */
export async function returnToOffers(c: Context<App>): Promise<Response> {
  const { documents, configuration: draft, base, flow: code } = await returnedDraft(c);
  const coupon = draft.coupons.get(code);
  const live = readDocuments(served((await liveConfig(c)).documents), isProduction(c.env)).coupons;
  // A renamed coupon is live under the code that the draft has no longer.
  const was = live.has(code) ? code : [...live.keys()].find((key) => !draft.coupons.has(key));
  return offersPage(c, {
    draft: documents,
    base,
    ...(coupon && { coupon: { ...couponFormOf(code, coupon), was: was ?? '' } }),
  });
}

/** The codes of a live coupon, each with its link, and when it was redeemed. */
export async function downloadCodes(c: Context<App>): Promise<Response> {
  const { documents } = await liveConfig(c);
  const name = c.req.query('coupon') ?? '';
  const codes = readDocuments(served(documents), isProduction(c.env)).coupons.get(name)?.codes;
  if (!codes) return consoleRefusal(c, 404, 'Not found', 'This coupon has no single-use codes.');
  const redeemed = await redeemedCodes(c.env.DB, name);
  const origin = siteOrigin(c.env, c.req.url);
  const rows = Array.from({ length: codes.count }, (_, at) => {
    const code = codeAt(name, codes, at);
    const time = redeemed.get(code);
    return [
      code,
      `${origin}/?coupon=${code}`,
      time === undefined ? '' : new Date(time).toISOString(),
    ];
  });
  return csvResponse(c, `${name}.csv`, [['code', 'link', 'redeemed'], ...rows]);
}
