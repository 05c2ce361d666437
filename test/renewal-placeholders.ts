/** Days of first renewals, as a page has them once the edge has filled them in. */
export const renewals = {
  month: 'December 20',
  quarter: 'February 20, 2027',
  3: 'November 23',
  5: 'November 25',
  7: 'November 27',
};
