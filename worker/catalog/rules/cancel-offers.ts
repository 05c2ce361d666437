import { recordOf } from '../../platform/keys.ts';
export const cancelReasons = ['too_expensive', 'not_needed', 'not_working', 'another'] as const;
export type CancelReason = (typeof cancelReasons)[number];

/** Offered once before a cancellation is confirmed; `plan` is one that costs less per month. */
export const cancelOffers = ['pause', 'plan', 'help', 'none'] as const;
export type CancelOffer = (typeof cancelOffers)[number];

export type CancelOffers = Record<CancelReason, CancelOffer>;

const builtIn: CancelOffers = {
  too_expensive: 'plan',
  not_needed: 'pause',
  not_working: 'help',
  another: 'none',
};

export const cancelOffersOf = ({
  cancel = {},
}: {
  cancel?: Partial<Record<CancelReason, CancelOffer | undefined>> | undefined;
}): CancelOffers => recordOf(cancelReasons, (reason) => cancel[reason] ?? builtIn[reason]);
