/** Days of first renewals, as the edge fills them in. */
export const renewals = {
  month: 'December 20',
  quarter: 'February 20, 2027',
  3: 'November 23',
  5: 'November 25',
  7: 'November 27',
  reminder3: 'November 22',
  reminder5: 'November 24',
  reminder7: 'November 26',
};
