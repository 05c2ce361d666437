/** Codes that would help a thief (docs.stripe.com/declines/codes): shown as a generic decline. */
const fraud = new Set([
  'fraudulent',
  'lost_card',
  'merchant_blacklist',
  'pickup_card',
  'restricted_card',
  'security_violation',
  'stolen_card',
]);

export function shownDecline(code: string | null): string {
  return code && !fraud.has(code) ? code : 'generic_decline';
}

/** Empty where the processor's text would reveal what `shownDecline` hides. */
export function shownResponse(code: string | null, response: string | null): string {
  return shownDecline(code) === 'generic_decline' ? '' : (response ?? '');
}
