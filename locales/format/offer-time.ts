/** How long a page holds an offer's price. */
export const offerSeconds = 300;
