/** The issuer's decline. */
export interface Decline {
  code: string;
  decline_code: string;
  advice_code?: string;
  message: string;
  param?: string;
}

/**
 * When the bank challenges the customer. `when requested`: if the payment requests 3-D Secure
 * (docs.stripe.com/testing, "3DS supported"); every other value but `never`: in each on-session payment. Off
 * session, `always` still challenges, and `until set up` challenges a card that no authenticated intent saved.
 */
type Challenge = 'never' | 'when requested' | 'on session' | 'until set up' | 'always';

export interface TestCard {
  number: string;
  brand: string;
  funding: string;
  country: string;
  challenge: Challenge;
  /** Charges are refused with this decline (after the challenge, if there is one). */
  decline?: Decline;
  /** The charge succeeds and is disputed at once, with this reason. */
  disputes?: string;
  /** The dispute is only an inquiry. */
  inquires?: boolean;
  /** Attaching it to a customer succeeds although charges fail. */
  attaches: boolean;
}

const declined = (decline_code: string, advice_code?: string, more: Partial<Decline> = {}) => ({
  code: 'card_declined',
  decline_code,
  ...(advice_code ? { advice_code } : {}),
  message: 'Your card was declined.',
  ...more,
});

const GENERIC = declined('generic_decline', 'try_again_later');
const FUNDS = declined('insufficient_funds', 'try_again_later', {
  message: 'Your card has insufficient funds.',
});

const card = (number: string, more: Partial<TestCard> = {}): TestCard => ({
  number,
  brand: 'visa',
  funding: 'credit',
  country: 'US',
  challenge: 'never',
  attaches: more.decline === undefined,
  ...more,
});

/**
 * Stripe's published test cards under their `pm_card_*` names. https://docs.stripe.com/testing
 * Decline codes, messages and advice: https://docs.stripe.com/declines/codes
 */
export const TEST_CARDS: Record<string, TestCard> = {
  pm_card_visa: card('4242424242424242'),
  pm_card_visa_debit: card('4000056655665556', { funding: 'debit' }),
  pm_card_mastercard: card('5555555555554444', { brand: 'mastercard' }),
  pm_card_mastercard_debit: card('5200828282828210', { brand: 'mastercard', funding: 'debit' }),
  pm_card_mastercard_prepaid: card('5105105105105100', { brand: 'mastercard', funding: 'prepaid' }),
  pm_card_amex: card('378282246310005', { brand: 'amex' }),
  pm_card_discover: card('6011111111111117', { brand: 'discover' }),
  pm_card_diners: card('3056930009020004', { brand: 'diners' }),
  pm_card_jcb: card('3566002020360505', { brand: 'jcb' }),
  pm_card_unionpay: card('6200000000000005', { brand: 'unionpay' }),
  pm_card_visa_chargeDeclined: card('4000000000000002', { decline: GENERIC }),
  pm_card_visa_chargeDeclinedInsufficientFunds: card('4000000000009995', { decline: FUNDS }),
  pm_card_visa_chargeDeclinedLostCard: card('4000000000009987', {
    decline: declined('lost_card', 'do_not_try_again'),
  }),
  pm_card_visa_chargeDeclinedStolenCard: card('4000000000009979', {
    decline: declined('stolen_card', 'do_not_try_again'),
  }),
  pm_card_chargeDeclinedExpiredCard: card('4000000000000069', {
    decline: declined('expired_card', 'confirm_card_data', {
      code: 'expired_card',
      message: 'Your card has expired.',
      param: 'exp_month',
    }),
  }),
  pm_card_chargeDeclinedIncorrectCvc: card('4000000000000127', {
    decline: declined('incorrect_cvc', 'confirm_card_data', {
      code: 'incorrect_cvc',
      message: "Your card's security code is incorrect.",
      param: 'cvc',
    }),
  }),
  pm_card_chargeDeclinedProcessingError: card('4000000000000119', {
    decline: declined('processing_error', 'try_again_later', {
      code: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    }),
  }),
  pm_card_visa_chargeDeclinedVelocityLimitExceeded: card('4000000000006975', {
    decline: declined('card_velocity_exceeded', 'try_again_later', {
      message:
        'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
    }),
  }),
  pm_card_chargeDeclinedFraudulent: card('4100000000000019', { decline: declined('fraudulent') }),
  pm_card_chargeCustomerFail: card('4000000000000341', { decline: GENERIC, attaches: true }),
  pm_card_authenticationRequiredOnSetup: card('4000002500003155', { challenge: 'until set up' }),
  pm_card_authenticationRequired: card('4000002760003184', { challenge: 'always' }),
  pm_card_authenticationRequiredSetupForOffSession: card('4000003800000446', {
    challenge: 'on session',
  }),
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: card('4000008260003178', {
    challenge: 'always',
    decline: FUNDS,
    attaches: true,
  }),
  pm_card_createDispute: card('4000000000000259', { disputes: 'fraudulent' }),
  pm_card_createDisputeInquiry: card('4000000000001976', {
    disputes: 'fraudulent',
    inquires: true,
  }),
  pm_card_createDisputeProductNotReceived: card('4000000000002685', {
    disputes: 'product_not_received',
  }),
  pm_card_threeDSecureOptional: card('4000000000003055', { challenge: 'when requested' }),
  pm_card_threeDSecure2Required: card('4000000000003220', { challenge: 'always' }),
  pm_card_threeDSecureRequiredChargeDeclined: card('4000008400001629', {
    challenge: 'always',
    decline: GENERIC,
    attaches: true,
  }),
};

/** Other names and numbers that Stripe publishes for the same behaviour. */
const ALIASES: Record<string, string> = {
  pm_card_chargeDeclined: 'pm_card_visa_chargeDeclined',
  pm_card_chargeDeclinedInsufficientFunds: 'pm_card_visa_chargeDeclinedInsufficientFunds',
  pm_card_chargeDeclinedLostCard: 'pm_card_visa_chargeDeclinedLostCard',
  pm_card_chargeDeclinedStolenCard: 'pm_card_visa_chargeDeclinedStolenCard',
  pm_card_radarBlock: 'pm_card_chargeDeclinedFraudulent',
  pm_card_us: 'pm_card_visa',
  '2223003122003222': 'pm_card_mastercard',
  '371449635398431': 'pm_card_amex',
  '6011000990139424': 'pm_card_discover',
};

const byNumber = new Map(Object.entries(TEST_CARDS).map(([name, { number }]) => [number, name]));

/** The name of the test card with this number or published id; undefined for any other. */
export const cardNamed = (numberOrId: string): string | undefined =>
  ALIASES[numberOrId] ?? byNumber.get(numberOrId) ?? (TEST_CARDS[numberOrId] && numberOrId);
