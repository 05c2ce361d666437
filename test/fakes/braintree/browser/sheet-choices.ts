/** The payer's choices in the fake wallet sheet. */
export type Choice = 'approves' | 'declines' | 'asks';

export const choices: Record<Choice, string> = {
  approves: 'Card that approves',
  declines: 'Card that declines',
  asks: 'Card whose bank asks',
};
