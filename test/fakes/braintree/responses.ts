/** developer.paypal.com/braintree/docs/reference/general/processor-responses/authorization-responses */
const texts: Record<string, string> = {
  '1000': 'Approved',
  '2000': 'Do Not Honor',
  '2001': 'Insufficient Funds',
  '2002': 'Limit Exceeded',
  '2003': "Cardholder's Activity Limit Exceeded",
  '2004': 'Expired Card',
  '2005': 'Invalid Credit Card Number',
  '2006': 'Invalid Expiration Date',
  '2010': 'Card Issuer Declined CVV',
  '2012': 'Processor Declined - Possible Lost Card',
  '2013': 'Processor Declined - Possible Stolen Card',
  '2014': 'Processor Declined - Fraud Suspected',
  '2015': 'Transaction Not Allowed',
  '2038': 'Processor Declined',
  '2047': 'Call Issuer. Pick Up Card.',
  '2074': 'Funding Instrument In The PayPal Account Was Declined By The Processor Or Bank',
  '2099': 'Cardholder Authentication Required',
  '3000': 'Processor Network Unavailable - Try Again',
};

export const textOf = (code: string): string => texts[code] ?? 'Processor Declined';

/** A transaction's status for a processor response code. */
export function statusOf(code: string): string {
  if (code === '1000') return 'SUBMITTED_FOR_SETTLEMENT';
  return code.startsWith('3') ? 'FAILED' : 'PROCESSOR_DECLINED';
}

/** An amount of 2000.00 to 2999.99 is declined with that code, 3000.00 fails; in minor units. */
export function codeOfAmount(amount: number): string | undefined {
  const whole = Math.floor(amount / 100);
  if (whole === 3000) return '3000';
  return whole >= 2000 && whole < 3000 ? String(whole) : undefined;
}
