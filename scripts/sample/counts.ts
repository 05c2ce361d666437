import { histogramBucket } from '../../worker/analytics/rules/buckets.ts';
import {
  type Count,
  type CountInput,
  withCountDefaults,
} from '../../worker/analytics/rules/count.ts';
import { takesPayment } from '../../worker/experiments/rules/flows.ts';
import { draw, type SamplePurchase, type SampleVisit } from './visits.ts';

function paymentsOf({ id, purchases }: SampleVisit, slice: Count['slice']): CountInput[] {
  const count = (
    { slot, plan, currency, provider }: SamplePurchase,
    step: string,
    at: number,
    payment: { amount: number; reason?: string; squares?: number },
  ): CountInput => ({
    id: `${id} ${slot} ${step} ${at}`,
    at,
    step,
    slice,
    provider,
    payment: { slot, plan, currency, reason: '', ...payment },
  });
  const attempts = purchases.flatMap((bought) => {
    const { at, amountMinor: amount, declined: reason } = bought;
    return [
      count(bought, 'attempt', at, { amount }),
      reason
        ? count(bought, 'declined', at, { amount, reason })
        : count(bought, 'purchase', at, { amount }),
    ];
  });
  const sums = { '': 0, renewal: 0 };
  const movements = purchases
    .flatMap((bought) => {
      const first = bought.movements.find(({ kind }) => kind === 'capture')?.at;
      const later = bought.movements.filter(({ kind, at }) => kind === 'capture' && at !== first);
      // A refund belongs to the last payment before it.
      return bought.movements.map((movement) => ({
        bought,
        ...movement,
        reason: later.some(({ at }) => at <= movement.at) ? ('renewal' as const) : ('' as const),
      }));
    })
    .sort((a, b) => a.at - b.at)
    .map(({ bought, kind, at, amountMinor: amount, reason }) => {
      const before = sums[reason];
      sums[reason] += kind === 'capture' ? amount : -amount;
      const squares = sums[reason] ** 2 - before ** 2;
      return count(bought, kind, at, { amount, reason, squares });
    });
  return [...attempts, ...movements];
}

/** Web vitals of the first screen, and the errors on each. */
function seenOn({ id, device, screens }: SampleVisit, slice: Count['slice']): CountInput[] {
  const slow = device === 'desktop' ? 0.6 : 1;
  return screens.flatMap((screen, at) => {
    const shown = { at: Math.floor(screen.at), slice, screen: screen.id, visit: id };
    const count = (step: string, more: Partial<CountInput> = {}): CountInput[] => [
      { id: `${id} ${step} ${screen.id}`, step, ...shown, ...more },
    ];
    // Most values are fast, few are slow.
    const speed = slow * Math.exp(2.2 * (draw(`${id} speed ${screen.id}`) - 0.5));
    const loaded = { lcp: 900 * speed, fcp: 700 * speed, ttfb: 180 * speed };
    const vitals = { ...(at === 0 ? loaded : {}), inp: 70 * speed, cls: 0.02 * speed };
    const isForm = /^(one_pager|signup)/.test(screen.id);
    const isWrong = (share: number, what: string) => draw(`${id} ${what} ${screen.id}`) < share;
    return [
      ...count('web_vitals', { vitals }),
      ...(isForm && isWrong(0.09, 'refused') ? count('input_refused') : []),
      ...(isWrong(0.004, 'chunk') ? count('chunk_failed') : []),
      ...(isWrong(0.002, 'island') ? count('island_failed') : []),
    ];
  });
}

export function sampleCounts(visit: SampleVisit): Count[] {
  const { id, at, country, language, device, source, experiment, variant, flow } = visit;
  const landing = visit.screens[0]?.id ?? '';
  const slice = { flow, experiment, variant, country, language, device, source, landing };
  const step = (name: string, when: number, more: Partial<CountInput> = {}): CountInput => ({
    id: `${id} ${name} ${more.screen ?? ''}`,
    at: Math.floor(when),
    step: name,
    slice,
    ...more,
  });
  const counts = [
    step('exposure', at),
    step('session_start', at, { visit: id }),
    ...visit.screens.flatMap((screen) => {
      const shown = { screen: screen.id, visit: id };
      const load = step('screen__load', screen.at, shown);
      if (screen.seconds === null) return [load];
      const continuedAt = screen.at + screen.seconds * 1000;
      const bucket = histogramBucket('seconds', screen.seconds);
      return [load, step('button__continue', continuedAt, { ...shown, bucket })];
    }),
    ...(visit.signedUpAt === null ? [] : [step('sign_up', visit.signedUpAt)]),
    ...visit.purchases
      .filter(({ declined }) => declined)
      .map(({ slot, at: failedAt }) => {
        const shown = slot === 'upsell' ? /^upsell/ : /./;
        const screen = visit.screens.find(({ id: name }) => takesPayment(name) && shown.test(name));
        return step('subs_purchase_failed', failedAt, { screen: screen?.id ?? '', visit: id });
      }),
    ...paymentsOf(visit, slice),
  ];
  return [...counts, ...seenOn(visit, slice)].map(withCountDefaults);
}
