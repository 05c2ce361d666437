/** What the browser of somebody who bought keeps without consent: the session of their tab. */
export const sessionOnly = [
  'access_token',
  'btToken',
  'deeplinkQR',
  'deeplinkToken',
  'deeplinkUrl',
  'funnel:1:account',
];
