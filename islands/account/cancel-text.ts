import type { IslandText } from '../../locales/index.ts';

type Text = IslandText['my-account'];

const keys = [
  ...(['not_renewing', 'go_on', 'which', 'all', 'only', 'not_yet', 'stays', 'instead'] as const),
  ...(['done_until', 'still', 'why', 'why_none', 'why_too_expensive', 'why_not_needed'] as const),
  ...(['why_not_working', 'why_another', 'offer_pause', 'offer_plan', 'offer_help'] as const),
  ...(['offer_help_action', 'early', 'early_done'] as const),
] as const satisfies readonly (keyof Text)[];

/** Texts that only the steps of a cancellation show. */
export type CancelText = Pick<Text, (typeof keys)[number]>;

export type AccountText = Omit<Text, keyof CancelText>;

export const cancelText = (all: Text): CancelText =>
  Object.fromEntries(keys.map((key) => [key, all[key]])) as CancelText;

export function withoutCancelText(all: Text): AccountText {
  const text: AccountText & Partial<CancelText> = { ...all };
  for (const key of keys) delete text[key];
  return text;
}
