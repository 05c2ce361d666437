/** Codes that tell a thief what is wrong (docs.stripe.com/declines/codes): shown as one. */
const fraud = new Set([
  'fraudulent',
  'lost_card',
  'merchant_blacklist',
  'pickup_card',
  'restricted_card',
  'security_violation',
  'stolen_card',
]);

/** The decline code that the visitor may learn: what looks like fraud is only "declined". */
export function shownDecline(code: string | null): string {
  return code && !fraud.has(code) ? code : 'generic_decline';
}

/** The processor's words, unless they would tell what `shownDecline` hides among all plain declines. */
export function shownResponse(code: string | null, response: string | null): string {
  return shownDecline(code) === 'generic_decline' ? '' : (response ?? '');
}
